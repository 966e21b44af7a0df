#pragma once

#include <vector>

#include "jit/compile_request.hpp"
#include "jit/kernel_request.hpp"

namespace gtune {

/// Compiles these on all cores, past the cache of cubins: what it keeps has neither details nor the
/// time that a compile takes. A result for each, in their order. Throws UserError(interrupted).
[[nodiscard]] std::vector<CompileResult> compile_all(std::vector<KernelRequest> requests);

}  // namespace gtune
