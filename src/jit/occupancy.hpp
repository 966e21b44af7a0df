#pragma once

#include <optional>
#include <string>

#include "model/device_facts.hpp"
#include "model/measurement.hpp"
#include "model/plan.hpp"

namespace gtune {

/// Adds to the usage what this launch determines: dynamic shared memory, resident blocks,
/// theoretical occupancy and its limit. Follows NVIDIA's cuda_occupancy.h; the limit stays empty
/// for chips that it does not know.
[[nodiscard]] ResourceUsage with_occupancy(ResourceUsage usage, const LaunchPlan& launch,
                                           const DeviceFacts& device);

/// Why the device would refuse the launch, in one line with numbers; absent if it would accept it.
[[nodiscard]] std::optional<std::string> why_it_cannot_launch(const ResourceUsage& usage,
                                                              const LaunchPlan& launch,
                                                              const DeviceFacts& device);

}  // namespace gtune
