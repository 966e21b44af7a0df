#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/plan.hpp"

namespace gtune {

/// Whether an integer, or the nearest float, has a finite value of this type.
[[nodiscard]] bool fits(std::int64_t value, ElementType type);
[[nodiscard]] bool fits(double value, ElementType type);

/// Why a fill of `count` elements has no values, or values that do not fit the type; absent if it
/// does. An expression of the index is tried only by the device.
[[nodiscard]] std::optional<std::string> find_mistake(const Fill& fill, ElementType type,
                                                      std::int64_t count);

}  // namespace gtune
