#pragma once

#include <vector>

#include "model/device_facts.hpp"

namespace gtune {

/// The devices of this machine, without creating a context on any. Throws
/// UserError(no_device) where there is none, saying what is missing.
[[nodiscard]] std::vector<DeviceFacts> list_devices();

/// The one of that index. Throws UserError(no_device).
[[nodiscard]] DeviceFacts find_device(const std::vector<DeviceFacts>& devices, int index);

}  // namespace gtune
