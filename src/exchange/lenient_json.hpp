#pragma once

#include <string>

#include "model/checked_json.hpp"
#include "model/foreign_json.hpp"

namespace gtune {

/// Parses JSON as running Python programs write it: NaN and Infinity become null, and brackets left
/// open at the end are closed. Throws json::exception for other invalid JSON, and
/// std::invalid_argument for text that is larger or nested deeper than `bounds` allows.
[[nodiscard]] nlohmann::json parse_lenient(const std::string& text, const JsonBounds& bounds);

}  // namespace gtune
