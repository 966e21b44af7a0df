#pragma once

#include <string>

#include "jit/kernel_request.hpp"

namespace gtune {

/// A compile of the worker's own kernels (gpu/support_kernels.hpp) for an architecture. A cold run
/// waits for it, so NVRTC may use all cores.
[[nodiscard]] KernelRequest support_request(const std::string& arch);

}  // namespace gtune
