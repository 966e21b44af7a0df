#pragma once

#include <string>
#include <vector>

#include "jit/kernel_request.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// Parameters that change neither the kernel nor its options, launch or arguments. Configurations
/// that differ only in such a parameter are equal, and would be measured several times.
[[nodiscard]] std::vector<std::string> idle_parameters(const KernelSpec& spec,
                                                       const KernelSource& source);

}  // namespace gtune
