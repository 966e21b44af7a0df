#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/device_facts.hpp"

namespace gtune {

/// The device facts that expressions can name, in the order of their slots.
inline constexpr std::array<std::string_view, 11> device_slot_names = {
    "dev_cc",
    "dev_sm_count",
    "dev_max_shared",
    "dev_shared_per_sm",
    "dev_max_threads",
    "dev_max_threads_per_sm",
    "dev_max_blocks_per_sm",
    "dev_registers_per_sm",
    "dev_registers_per_block",
    "dev_warp_size",
    "dev_l2_bytes",
};

[[nodiscard]] inline std::array<std::int64_t, device_slot_names.size()> device_slot_values(
    const DeviceFacts& device) {
  return {device.cc(),
          device.sm_count,
          device.shared_per_block_optin,
          device.shared_per_sm,
          device.max_threads_per_block,
          device.max_threads_per_sm,
          device.max_blocks_per_sm,
          device.registers_per_sm,
          device.registers_per_block,
          device.warp_size,
          device.l2_bytes};
}

}  // namespace gtune
