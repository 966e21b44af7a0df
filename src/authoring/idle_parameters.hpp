#pragma once

#include <string>
#include <vector>

#include "jit/kernel_request.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// Parameters that change neither the kernel, nor its options, launch or arguments: configurations
/// that differ in nothing else are one and the same, measured once for each of its values.
[[nodiscard]] std::vector<std::string> idle_parameters(const KernelSpec& spec,
                                                       const KernelSource& source);

}  // namespace gtune
