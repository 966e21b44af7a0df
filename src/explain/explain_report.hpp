#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/answer.hpp"
#include "explain/finding.hpp"
#include "explain/subject.hpp"
#include "model/checked_json.hpp"

namespace gtune {

/// Why a measurement is as fast as it is.
struct Explanation {
  Answer answer;  // the best on this device and problem, whatever the subject is
  Subject subject;
  std::optional<Subject> versus;
  std::vector<Finding> findings;  // of the subject
  std::string tuned_by;           // the command that measures this problem
};

[[nodiscard]] std::string explain_text(const std::string& kernel,
                                       const std::vector<Explanation>& explanations);
[[nodiscard]] nlohmann::json explain_json(const std::string& kernel,
                                          const std::vector<Explanation>& explanations);

}  // namespace gtune
