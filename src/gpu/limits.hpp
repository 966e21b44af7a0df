#pragma once

#include "gpu/support_kernels.hpp"
#include "model/device_facts.hpp"

namespace gtune {

/// Measures all limits that the device has; takes about 0.1 s.
[[nodiscard]] DeviceLimits measure_limits(const DeviceFacts& device, SupportKernels& kernels,
                                          const Stream& stream);

}  // namespace gtune
