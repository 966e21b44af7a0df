#pragma once

#include "gpu/nvml_library.hpp"
#include "model/device_facts.hpp"
#include "model/machine_state.hpp"

namespace gtune {

/// Reads what NVML reports of a device; values that it does not report are absent. Changes nothing.
[[nodiscard]] GpuState read_gpu_state(const NvmlLibrary& library, NvmlDevice device);

/// The same for a CUDA device of this machine, with its index, name and UUID. Creates no context.
/// On a GPU that MIG divides, the state is that of the whole GPU.
[[nodiscard]] GpuState read_gpu_state(int index, const DeviceFacts& facts);

}  // namespace gtune
