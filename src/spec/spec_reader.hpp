#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spec/kernel_spec.hpp"
#include "spec/spec_mistake.hpp"

namespace gtune {

/// Reads and checks a spec. The CUDA source is looked up beside the file, then in
/// `kernel_folders`. Every mistake is a UserError (usage) of one line:
/// "file:line:column: what is wrong; what was expected".
[[nodiscard]] KernelSpec read_spec(const std::filesystem::path& file,
                                   std::span<const std::filesystem::path> kernel_folders);

/// The same for a text that is at hand. `file`: where it stands, or would stand; it is not opened.
[[nodiscard]] KernelSpec parse_spec(std::string text, const std::filesystem::path& file,
                                    std::span<const std::filesystem::path> kernel_folders);

/// A spec, or what is wrong with it.
struct SpecReading {
  std::optional<KernelSpec> spec;     // where nothing is wrong, or its name alone
  std::vector<SpecMistake> mistakes;  // by place; those that follow from others are not there
  std::vector<std::string> unread;    // tables that were not looked at because of them
};

/// As parse_spec, with all mistakes instead of the first. Throws UserError only for what is no
/// mistake at a place of the file.
[[nodiscard]] SpecReading read_all_mistakes(std::string text, const std::filesystem::path& file,
                                            std::span<const std::filesystem::path> kernel_folders);

}  // namespace gtune
