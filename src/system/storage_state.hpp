#pragma once

#include <filesystem>

#include "model/machine_state.hpp"

namespace gtune {

/// The space and the permissions for a folder that is, or would be, at this path: those of its
/// nearest existing folder. Creates nothing.
[[nodiscard]] StorageState folder_state(const std::filesystem::path& path);

/// The same for a database file. Its folder must be writable even if the file exists, because
/// SQLite writes its log there.
[[nodiscard]] StorageState file_state(const std::filesystem::path& path);

}  // namespace gtune
