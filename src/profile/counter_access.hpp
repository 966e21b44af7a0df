#pragma once

#include <filesystem>

#include "model/machine_state.hpp"

namespace gtune {

/// Whether the driver lets this user read hardware counters: the driver's parameters, and whether
/// this process has CAP_SYS_ADMIN.
[[nodiscard]] CounterAccess counter_access(
    const std::filesystem::path& driver_parameters = "/proc/driver/nvidia/params",
    const std::filesystem::path& process_status = "/proc/self/status");

}  // namespace gtune
