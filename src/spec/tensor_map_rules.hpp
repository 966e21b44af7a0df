#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/plan.hpp"

namespace gtune {

/// The rule of cuTensorMapEncodeTiled (CUDA driver API, tensor map object management) that a map
/// violates, or how it exceeds its buffer of `count` elements; absent if it is valid. The buffer's
/// address is assumed to be aligned.
[[nodiscard]] std::optional<std::string> find_mistake(const TensorMapPlan& map, ElementType type,
                                                      std::int64_t count);

}  // namespace gtune
