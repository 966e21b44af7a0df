#pragma once

#include "model/json.hpp"
#include "model/named_values.hpp"

namespace gtune {

/// An object {"BM": 128, ...}, for lookup by name; the order is lost.
[[nodiscard]] inline nlohmann::json values_json(const NamedValues& values) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [name, value] : values.entries()) out[name] = value_json(value);
  return out;
}

}  // namespace gtune
