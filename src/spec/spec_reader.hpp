#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// Reads and checks a spec. The CUDA source is looked up beside the file, then in
/// `kernel_folders`. Every mistake is a UserError (usage) of one line:
/// "file:line:column: what is wrong; what was expected".
[[nodiscard]] KernelSpec read_spec(const std::filesystem::path& file,
                                   std::span<const std::filesystem::path> kernel_folders);

/// The same for a text that is at hand. `file`: where it stands, or would stand; it is not opened.
[[nodiscard]] KernelSpec parse_spec(std::string text, const std::filesystem::path& file,
                                    std::span<const std::filesystem::path> kernel_folders);

}  // namespace gtune
