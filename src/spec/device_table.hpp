#pragma once

#include <string_view>
#include <vector>

#include "model/device_facts.hpp"

namespace gtune {

/// A typical device of each architecture that gtune knows, for work without a GPU.
[[nodiscard]] const std::vector<DeviceFacts>& known_architectures();

/// The device for "sm_90" (or "sm_90a"). Throws a UserError (usage) that lists the known
/// architectures.
[[nodiscard]] const DeviceFacts& typical_device(std::string_view arch);

}  // namespace gtune
