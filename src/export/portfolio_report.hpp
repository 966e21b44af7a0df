#pragma once

#include <string>

#include "export/portfolio.hpp"
#include "model/checked_json.hpp"
#include "model/kernel_identity.hpp"

namespace gtune {

/// What each problem loses, and how the loss falls with the number of variants.
[[nodiscard]] std::string portfolio_text(const std::string& kernel, const Portfolio& portfolio);
[[nodiscard]] nlohmann::json portfolio_json(const std::string& kernel, const Portfolio& portfolio);
/// A line of names, then one for each problem with its variant's parameters: RFC 4180.
[[nodiscard]] std::string portfolio_csv(const KernelIdentity& kernel, const Portfolio& portfolio);

}  // namespace gtune
