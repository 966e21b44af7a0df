#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gtune {

/// A file that this user may run.
[[nodiscard]] bool is_program(const std::filesystem::path& file);

/// The first program of the name in the absolute folders of $PATH.
[[nodiscard]] std::optional<std::filesystem::path> find_program(const std::string& name);

}  // namespace gtune
