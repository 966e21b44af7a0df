#pragma once

#include "gpu/support_kernels.hpp"
#include "model/device_facts.hpp"

namespace gtune {

struct MeasuredLimits {
  double fma_tflops = 0;  // FP32 FMA from registers
  double dram_gbps = 0;   // cudaMemcpyAsync on the device, bytes read + written
};

/// Measures the device's peak rates; takes about 0.1 s.
[[nodiscard]] MeasuredLimits measure_limits(const DeviceFacts& device, SupportKernels& kernels,
                                            const Stream& stream);

}  // namespace gtune
