#pragma once

#include <filesystem>
#include <string_view>

namespace gtune {

/// Writes a file as a whole or not at all: beside it first, then in its place. Throws
/// UserError(failed).
void write_whole_file(const std::filesystem::path& file, std::string_view text);

}  // namespace gtune
