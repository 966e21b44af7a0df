#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/measurement.hpp"

namespace gtune {

/// Facts about a compiled kernel that expressions can name, in the order of their slots, which
/// follow those of the device facts. A spec's own name hides one of these.
inline constexpr std::array<std::string_view, 4> compiled_slot_names = {
    "registers",
    "local_bytes",
    "static_shared_bytes",
    "resident_blocks",
};

[[nodiscard]] inline std::array<std::int64_t, compiled_slot_names.size()> compiled_slot_values(
    const ResourceUsage& usage) {
  return {usage.registers, usage.stack_bytes, usage.static_shared_bytes, usage.blocks_per_sm};
}

}  // namespace gtune
