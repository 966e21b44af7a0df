#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gtune {

/// Whether it is a regular file that this user may run.
[[nodiscard]] bool is_program(const std::filesystem::path& file);

/// The first program with this name in $PATH. Relative folders of $PATH are skipped.
[[nodiscard]] std::optional<std::filesystem::path> find_program(const std::string& name);

/// The same, else that of the first toolkit (toolkit_folders) that has one.
[[nodiscard]] std::optional<std::filesystem::path> find_toolkit_program(const std::string& name);

}  // namespace gtune
