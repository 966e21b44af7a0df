#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gtune {

/// The frequency governors of the CPU's cores, such as "performance", each once and sorted. Empty
/// if the system shows none, as in most virtual machines.
[[nodiscard]] std::vector<std::string> cpu_governors(
    const std::filesystem::path& cores = "/sys/devices/system/cpu");

}  // namespace gtune
