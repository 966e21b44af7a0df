#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/device_facts.hpp"

namespace gtune {

/// The devices of this machine. Creates no context. Throws UserError(no_device) with what is
/// missing if there is none.
[[nodiscard]] std::vector<DeviceFacts> list_devices();

/// How many there are, at least one. Throws like list_devices.
[[nodiscard]] int count_devices();

/// One of them. Throws CudaError if it cannot be read, such as a GPU that fell off its bus.
[[nodiscard]] DeviceFacts read_device(int index);

/// Throws UserError(no_device) unless there is a device of that index among `count`.
void require_device(int index, std::size_t count);

/// The version of the linked CUDA runtime, such as "13.0". Needs neither GPU nor driver.
[[nodiscard]] std::string cuda_runtime_version();

/// The newest CUDA version that the driver supports, such as "13.0"; absent without a driver.
[[nodiscard]] std::optional<std::string> cuda_driver_version();

/// The device of that index. Throws UserError(no_device) if there is none.
[[nodiscard]] DeviceFacts find_device(const std::vector<DeviceFacts>& devices, int index);

}  // namespace gtune
