#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gtune {

/// Parses JSON as Python programs write it while they run: NaN and Infinity become null, and
/// brackets that are open at the end are closed. Throws json::exception for anything else, and
/// std::invalid_argument for what is larger or nested deeper than k_whole_file_bounds.
[[nodiscard]] nlohmann::json parse_lenient(const std::string& text);

}  // namespace gtune
