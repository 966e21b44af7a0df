#pragma once

#include <optional>
#include <string>

#include "model/device_facts.hpp"
#include "model/measurement.hpp"
#include "model/plan.hpp"

namespace gtune {

/// The same usage with what follows for this launch: dynamic shared memory, resident blocks,
/// theoretical occupancy and what limits it. After NVIDIA's cuda_occupancy.h; without a limit
/// for chips that it does not know.
[[nodiscard]] ResourceUsage with_occupancy(ResourceUsage usage, const LaunchPlan& launch,
                                           const DeviceFacts& device);

/// Why the device would refuse the launch, in one line with numbers; nothing where it would not.
[[nodiscard]] std::optional<std::string> why_it_cannot_launch(const ResourceUsage& usage,
                                                              const LaunchPlan& launch,
                                                              const DeviceFacts& device);

}  // namespace gtune
