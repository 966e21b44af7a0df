#pragma once

#include <cstddef>

#include "model/plan.hpp"

namespace gtune {

/// The bytes of a CUtensorMap, which a kernel takes by value.
struct alignas(64) TensorMap {
  std::byte opaque[128] = {};
};

/// The map that a plan describes over a buffer; zeros if the plan has no sizes. Throws
/// UserError(failed) if the driver knows no tensor maps or refuses this one.
[[nodiscard]] TensorMap encode_tensor_map(const TensorMapPlan& plan, ElementType type,
                                          std::byte* buffer);

}  // namespace gtune
