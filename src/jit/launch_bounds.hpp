#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "model/plan.hpp"

namespace gtune {

/// The blocks and clusters that a kernel's declaration allows; other launches fail.
struct LaunchBounds {
  std::optional<std::int64_t> most_threads;            // per block: __launch_bounds__
  std::optional<std::array<std::int64_t, 3>> block;    // the only one: __block_size__
  std::optional<std::int64_t> most_cluster_blocks;     // the third number of __launch_bounds__
  std::optional<std::array<std::int64_t, 3>> cluster;  // the only one, in blocks: __cluster_dims__
};

/// The bounds of the kernel `name` (mangled) in a cubin. No bounds if the cubin does not have them,
/// lacks the kernel, or is damaged.
[[nodiscard]] LaunchBounds launch_bounds_in(std::span<const std::byte> cubin,
                                            const std::string& name);

/// Why a launch is out of bounds, in one line with numbers; absent if it is not.
[[nodiscard]] std::optional<std::string> why_out_of_bounds(const LaunchBounds& bounds,
                                                           const LaunchPlan& launch);

}  // namespace gtune
