#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace gtune {

/// Parses JSON as Python programs write it while they run: NaN and Infinity become null, and
/// brackets that are open at the end are closed. Members named in `left_out` are kept only where
/// they are objects.
/// Throws json::exception for anything else.
[[nodiscard]] nlohmann::json parse_lenient(const std::string& text,
                                           const std::set<std::string>& left_out);

}  // namespace gtune
