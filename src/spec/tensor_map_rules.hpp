#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/plan.hpp"

namespace gtune {

/// What of the rules of cuTensorMapEncodeTiled (CUDA driver API, tensor map object management) a
/// map violates, or how it reaches beyond its buffer of `count` elements. The buffer itself is
/// aligned well enough.
[[nodiscard]] std::optional<std::string> find_mistake(const TensorMapPlan& map, ElementType type,
                                                      std::int64_t count);

}  // namespace gtune
