#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "system/regular_file.hpp"

namespace gtune {

/// More than a hundred times the largest bundled spec.
inline constexpr std::size_t most_spec_bytes = std::size_t{1} << 20;

/// The text of a spec's file. Throws UserError (usage) like read_regular_file.
[[nodiscard]] inline std::string read_spec_text(const std::filesystem::path& file) {
  return read_regular_file(file, most_spec_bytes, "a spec in TOML");
}

}  // namespace gtune
