#pragma once

#include <string>

#include "gpu/nvml_library.hpp"
#include "model/device_facts.hpp"
#include "model/machine_state.hpp"

namespace gtune {

/// A PCI bus id as NVML writes it: "00000000:1B:00.0" for CUDA's "0000:1b:00.0".
[[nodiscard]] std::string nvml_bus_id(const std::string& cuda_bus_id);

/// Reads what NVML reports of a device; values that it does not report are absent. Changes nothing.
/// `slice`: the part of the device that CUDA sees, if MIG divides it and NVML knows that part. The
/// processes are then those of the slice, everything else is the whole device's.
[[nodiscard]] GpuState read_gpu_state(const NvmlLibrary& library, NvmlDevice device,
                                      NvmlDevice slice = nullptr);

/// The same for a CUDA device of this machine, with its index, name, UUID and bus id. Creates no
/// context.
[[nodiscard]] GpuState read_gpu_state(int index, const DeviceFacts& facts);

}  // namespace gtune
