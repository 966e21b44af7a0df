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

/// The same for a text in memory. `file`: its path, which need not exist; the file is not opened.
[[nodiscard]] KernelSpec parse_spec(std::string text, const std::filesystem::path& file,
                                    std::span<const std::filesystem::path> kernel_folders);

/// A spec or its mistakes.
struct SpecReading {
  std::optional<KernelSpec> spec;     // absent if more than its name is wrong
  std::vector<SpecMistake> mistakes;  // by place, without consequences of other mistakes
  std::vector<std::string> unread;    // tables that were not checked because of them
};

/// Like parse_spec, but collects all mistakes. Throws UserError only for a failure that has no
/// place in the file.
[[nodiscard]] SpecReading read_all_mistakes(std::string text, const std::filesystem::path& file,
                                            std::span<const std::filesystem::path> kernel_folders);

}  // namespace gtune
