#pragma once

#include <string>
#include <vector>

#include "jit/kernel_request.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// Parameters that change nothing in the compiled kernel: neither arguments of its template, nor
/// macros that its source or options see. One compiled instance serves all of their values.
[[nodiscard]] std::vector<std::string> launch_only_parameters(const KernelSpec& spec,
                                                              const KernelSource& source);

}  // namespace gtune
