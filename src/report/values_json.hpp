#pragma once

#include <optional>

#include "model/checked_json.hpp"
#include "model/named_values.hpp"

namespace gtune {

/// {"BM": 128, ...}: for readers who look values up by name; the order is lost.
[[nodiscard]] inline nlohmann::json values_json(const NamedValues& values) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [name, value] : values.entries()) out[name] = value;
  return out;
}

/// What is absent is null.
[[nodiscard]] inline nlohmann::json optional_json(const std::optional<double>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

}  // namespace gtune
