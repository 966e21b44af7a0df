#pragma once

#include <vector>

#include "model/device_facts.hpp"

namespace gtune {

/// The devices of this machine, without creating a context on any. Throws
/// UserError(no_device) where there is none, saying what is missing.
[[nodiscard]] std::vector<DeviceFacts> list_devices();

}  // namespace gtune
