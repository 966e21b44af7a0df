#pragma once

#include <filesystem>

#include "model/machine_state.hpp"

namespace gtune {

/// The space and the permissions for a file or folder that is, or would be, at this path: those of
/// its nearest existing folder. Creates nothing.
[[nodiscard]] StorageState storage_state(const std::filesystem::path& path);

}  // namespace gtune
