#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string_view>

namespace gtune {

/// Writes a file as a whole or not at all: beside it first, then in its place; a device or a pipe
/// straight. Throws UserError(failed).
void write_whole_file(const std::filesystem::path& file, std::string_view text);
/// The same of what `write` writes; nothing is left where it throws.
void write_whole_file(const std::filesystem::path& file,
                      const std::function<void(std::ostream&)>& write);

/// Throws UserError where a file could not be put there, or something else than a file would go:
/// before the work that makes it. Leaves nothing behind.
void require_writable(const std::filesystem::path& file);

}  // namespace gtune
