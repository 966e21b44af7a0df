#pragma once

#include <string>
#include <vector>

#include "jit/kernel_request.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// Parameters that are neither arguments of the kernel's template themselves, nor macros that its
/// source sees, nor in its options (see LaunchOnly).
[[nodiscard]] std::vector<std::string> unnamed_parameters(const KernelSpec& spec,
                                                          const KernelSource& source);

}  // namespace gtune
