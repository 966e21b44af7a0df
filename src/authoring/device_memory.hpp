#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/device_facts.hpp"
#include "model/plan.hpp"

namespace gtune {

struct BufferBeyondMemory {
  std::string buffer;
  std::string line;
};

/// The first buffer that the device's memory cannot hold, alone or together with those before it.
[[nodiscard]] std::optional<BufferBeyondMemory> buffer_beyond_memory(
    const std::vector<ArgumentPlan>& arguments, const DeviceFacts& device);

}  // namespace gtune
