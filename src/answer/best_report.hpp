#pragma once

#include <string>
#include <vector>

#include "answer/answer.hpp"
#include "model/checked_json.hpp"
#include "model/kernel_identity.hpp"

namespace gtune {

/// What is known to be best, a block of lines for each device and problem.
[[nodiscard]] std::string best_text(const std::string& kernel, const std::vector<Answer>& answers);
[[nodiscard]] nlohmann::json best_json(const std::string& kernel,
                                       const std::vector<Answer>& answers);
/// A line of names, then one for each answer: RFC 4180.
[[nodiscard]] std::string best_csv(const KernelIdentity& kernel,
                                   const std::vector<Answer>& answers);

}  // namespace gtune
