#pragma once

#include <filesystem>

#include "model/machine_state.hpp"

namespace gtune {

/// Whether the driver lets this process read hardware counters: by its parameters, all users may,
/// or only those with CAP_SYS_ADMIN or CAP_PERFMON. Capabilities in another user namespace than the
/// initial one, as in a rootless container, do not count.
[[nodiscard]] CounterAccess counter_access(
    const std::filesystem::path& driver_parameters = "/proc/driver/nvidia/params",
    const std::filesystem::path& process_status = "/proc/self/status",
    const std::filesystem::path& user_ids = "/proc/self/uid_map");

}  // namespace gtune
