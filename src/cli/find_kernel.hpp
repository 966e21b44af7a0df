#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// The spec of a kernel that comes with the program, or of a file if `name` ends in ".toml".
/// Throws UserError (usage) that lists the known names.
[[nodiscard]] KernelSpec find_kernel(const std::string& name,
                                     const std::vector<std::filesystem::path>& data_folders);

}  // namespace gtune
