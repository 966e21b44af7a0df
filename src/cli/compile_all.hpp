#pragma once

#include <vector>

#include "jit/compile_request.hpp"
#include "jit/kernel_request.hpp"

namespace gtune {

/// Compiles the requests on all cores and returns a result for each, in order. Bypasses the cubin
/// cache, which keeps neither details nor compile times. A line on standard error, if that is a
/// terminal, says how far it is if it takes more than a second. Throws UserError if interrupted.
[[nodiscard]] std::vector<CompileResult> compile_all(std::vector<KernelRequest> requests);

}  // namespace gtune
