#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "store/records.hpp"

namespace gtune {

/// What is known to be best, a block of lines for each device and problem.
[[nodiscard]] std::string best_text(const std::string& kernel, std::vector<BestRow> rows);
[[nodiscard]] nlohmann::json best_json(const std::string& kernel, std::vector<BestRow> rows);

}  // namespace gtune
