#pragma once

#include <optional>
#include <string>

#include "model/named_values.hpp"

namespace gtune {

/// The one parameter whose values differ; absent if none or several do. Parameters that only one of
/// both has depend on it, and are not compared.
[[nodiscard]] inline std::optional<std::string> only_difference(const Config& a, const Config& b) {
  std::optional<std::string> only;
  for (const auto& [name, value] : a.entries()) {
    const auto there = b.find(name);
    if (!there || *there == value) continue;
    if (only) return std::nullopt;
    only = name;
  }
  return only;
}

}  // namespace gtune
