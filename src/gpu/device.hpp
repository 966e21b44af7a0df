#pragma once

#include <string>
#include <vector>

#include "model/device_facts.hpp"

namespace gtune {

/// The devices of this machine, without creating a context on any. Throws
/// UserError(no_device) where there is none, saying what is missing.
[[nodiscard]] std::vector<DeviceFacts> list_devices();

/// "13.0": of the CUDA runtime that is linked; needs neither GPU nor driver.
[[nodiscard]] std::string cuda_runtime_version();

/// The one of that index. Throws UserError(no_device).
[[nodiscard]] DeviceFacts find_device(const std::vector<DeviceFacts>& devices, int index);

}  // namespace gtune
