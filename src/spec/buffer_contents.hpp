#pragma once

#include <vector>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// Reads the spec's files for these arguments of the kernel. Throws UserError if a file cannot be
/// read, has another type or size, or the files together are too large.
[[nodiscard]] std::vector<BufferContents> read_contents(const KernelSpec& spec,
                                                        const std::vector<ArgumentPlan>& arguments);

}  // namespace gtune
