#pragma once

#include <cuda.h>

namespace gtune {

/// A function of the driver, asked of the runtime: linking the driver would keep the program from
/// starting without one. Null where the driver does not have it. `since_cuda`: 12000 for 12.0.
[[nodiscard]] void* find_driver_function(const char* name, unsigned since_cuda);

/// The context of the calling thread's current device, created by then.
[[nodiscard]] CUcontext current_context();

}  // namespace gtune
