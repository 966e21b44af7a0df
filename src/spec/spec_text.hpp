#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace gtune {

/// More than a hundred times the largest of those that come along.
inline constexpr std::size_t most_spec_bytes = std::size_t{1} << 20;

/// What a spec's file holds. Throws UserError (usage) where it cannot be read, is no regular file
/// or is larger than `most_spec_bytes`.
[[nodiscard]] std::string read_spec_text(const std::filesystem::path& file);

}  // namespace gtune
