#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace gtune {

/// All that a file holds. Throws UserError (usage) where it cannot be read, is no regular file,
/// which may never end, or is larger than `most_bytes`; `expected` ends the message: "a spec in
/// TOML".
[[nodiscard]] std::string read_regular_file(const std::filesystem::path& file,
                                            std::size_t most_bytes, const std::string& expected);

}  // namespace gtune
