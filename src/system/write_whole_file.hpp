#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace gtune {

/// Writes a file completely or not at all, by renaming a draft; writes directly to a device or a
/// pipe. Throws UserError(failed), or UserError(usage) if it would replace a database.
void write_whole_file(const std::filesystem::path& file, std::string_view text);
/// The same for the output of `write`. If it throws, no file remains.
void write_whole_file(const std::filesystem::path& file,
                      const std::function<void(std::ostream&)>& write);

/// Throws UserError if no file can be written there, or if it would replace a database or something
/// other than a regular file. Call it before the work that produces the contents. Leaves nothing
/// behind.
void require_writable(const std::filesystem::path& file);

/// Whether two names are of one file, which need not exist.
[[nodiscard]] bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// A file of a command line.
struct NamedFile {
  std::string name;            // in messages: "--report"
  std::filesystem::path file;  // empty: not given
};

/// Calls require_writable for each output. Throws UserError(usage) if an output is also an input or
/// another output.
void require_outputs(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs);

}  // namespace gtune
