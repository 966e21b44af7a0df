#pragma once

#include <filesystem>
#include <span>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// Reads and checks a spec. The CUDA source is looked up beside the file, then in
/// `kernel_folders`. Every mistake is a UserError (usage) of one line:
/// "file:line:column: what is wrong; what was expected".
[[nodiscard]] KernelSpec read_spec(const std::filesystem::path& file,
                                   std::span<const std::filesystem::path> kernel_folders);

}  // namespace gtune
