#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string_view>

namespace gtune {

/// Writes a file as a whole or not at all: to a draft that is then renamed; a device or a pipe
/// directly. Throws UserError(failed).
void write_whole_file(const std::filesystem::path& file, std::string_view text);
/// The same for the output of `write`; nothing remains if it throws.
void write_whole_file(const std::filesystem::path& file,
                      const std::function<void(std::ostream&)>& write);

/// Throws UserError if no file can be written there, or if it would replace something other than a
/// file. To be called before the work that makes the contents. Leaves nothing behind.
void require_writable(const std::filesystem::path& file);

}  // namespace gtune
