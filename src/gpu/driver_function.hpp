#pragma once

#include <cuda.h>

namespace gtune {

/// A driver function, looked up through the runtime: a program linked with the driver would not
/// start without one. Null if the driver lacks the function. `since_cuda`: 12000 for 12.0.
[[nodiscard]] void* find_driver_function(const char* name, unsigned since_cuda);

/// The context of the calling thread's current device, created if necessary. Throws CudaError.
[[nodiscard]] CUcontext current_context();

}  // namespace gtune
