#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/device_facts.hpp"

namespace gtune {

/// The devices of this machine. Creates no context. Throws UserError(no_device) with what is
/// missing if there is none.
[[nodiscard]] std::vector<DeviceFacts> list_devices();

/// The version of the linked CUDA runtime, such as "13.0". Needs neither GPU nor driver.
[[nodiscard]] std::string cuda_runtime_version();

/// The newest CUDA version that the driver supports, such as "13.0"; absent without a driver.
[[nodiscard]] std::optional<std::string> cuda_driver_version();

/// The device of that index. Throws UserError(no_device) if there is none.
[[nodiscard]] DeviceFacts find_device(const std::vector<DeviceFacts>& devices, int index);

}  // namespace gtune
