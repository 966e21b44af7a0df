#pragma once

#include <string>

#include "model/checked_json.hpp"
#include "model/foreign_json.hpp"

namespace gtune {

/// Parses JSON as Python programs write it while they run: NaN and Infinity become null, and
/// brackets that are open at the end are closed. Throws json::exception for anything else, and
/// std::invalid_argument for what is larger or nested deeper than `bounds` allows.
[[nodiscard]] nlohmann::json parse_lenient(const std::string& text, const JsonBounds& bounds);

}  // namespace gtune
