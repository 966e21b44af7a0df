#pragma once

#include <string>
#include <vector>

#include "model/named_values.hpp"

namespace gtune {

/// A field of a CSV line, quoted where it has to be: RFC 4180.
[[nodiscard]] inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

/// A comma and a value for each name, none where there is no value.
[[nodiscard]] inline std::string csv_values(const std::vector<std::string>& names,
                                            const NamedValues& values) {
  std::string out;
  for (const std::string& name : names) {
    const auto value = values.find(name);
    out += value ? ',' + std::to_string(*value) : ",";
  }
  return out;
}

}  // namespace gtune
