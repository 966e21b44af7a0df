#pragma once

#include <vector>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// What the spec's files hold for these arguments of the kernel. Throws UserError where a file
/// cannot be read, is of another type or size, or all together are too large.
[[nodiscard]] std::vector<BufferContents> read_contents(const KernelSpec& spec,
                                                        const std::vector<ArgumentPlan>& arguments);

}  // namespace gtune
