#pragma once

#include "model/case.hpp"
#include "space/search_space.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// Logarithms of the blocks, the threads of a block and its shared memory, of the launch with the
/// most threads. What is known only after a compile counts as its minimum, and a launch without a
/// value as one of a thread. The spec and the problem
/// must outlive the result.
[[nodiscard]] ConfigAmounts launch_amounts(const KernelSpec& spec, const Problem& problem,
                                           DeviceFacts device);

}  // namespace gtune
