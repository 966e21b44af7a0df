#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace gtune {

/// The contents of a file. Throws UserError (usage) if it cannot be read, is larger than
/// `most_bytes`, or is not a regular file, since others may never end. `expected` ends the message:
/// "a spec in TOML".
[[nodiscard]] std::string read_regular_file(const std::filesystem::path& file,
                                            std::size_t most_bytes, const std::string& expected);

}  // namespace gtune
