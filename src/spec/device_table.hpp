#pragma once

#include <string_view>
#include <vector>

#include "model/device_facts.hpp"

namespace gtune {

/// Typical devices of the architectures that gtune knows, for work without a GPU.
[[nodiscard]] const std::vector<DeviceFacts>& known_architectures();

/// The one of "sm_90" (or "sm_90a"). Throws UserError (usage) that lists the known ones.
[[nodiscard]] const DeviceFacts& typical_device(std::string_view arch);

}  // namespace gtune
