#include "system/write_whole_file.hpp"

#include <fstream>
#include <string>
#include <system_error>

#include "model/error.hpp"
#include "system/draft.hpp"

namespace gtune {

namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& why) {
  throw UserError(ExitCode::failed, file.string() + " cannot be written: " + why);
}

/// The target of a chain of links, which need not exist.
std::filesystem::path place_of(std::filesystem::path file) {
  constexpr int most_links = 40;  // Linux's own limit
  std::error_code error;
  for (int i = 0; i < most_links; ++i) {
    const auto target = std::filesystem::read_symlink(file, error);
    if (error) return file;
    file = file.parent_path() / target;  // an absolute target replaces the folder
  }
  return file;
}

/// Writes to `target`. Errors name `file`, which `target` is to replace.
void write_straight(const std::filesystem::path& target, const std::filesystem::path& file,
                    const std::function<void(std::ostream&)>& write) {
  std::ofstream out(target, std::ios::binary);
  if (!out) fail(file, "it or its folder is missing or not writable");
  write(out);
  out.flush();
  if (!out) fail(file, "no space left, or an error of the disk");
}

bool is_database(const std::filesystem::path& file) {
  constexpr std::string_view header("SQLite format 3\0", 16);
  std::string begin(header.size(), ' ');
  std::ifstream(file, std::ios::binary)
      .read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == header;
}

void require_no_database(const std::filesystem::path& file) {
  if (is_database(file)) {
    throw UserError(ExitCode::usage, file.string() + " is a database, which would be replaced");
  }
}

void require_other_file(const NamedFile& output, const NamedFile& other) {
  if (output.file.empty() || other.file.empty() || !is_same_file(output.file, other.file)) return;
  throw UserError(ExitCode::usage, output.name + ' ' + output.file.string() +
                                       ": this is also the file of " + other.name +
                                       "; give another name");
}

}  // namespace

void require_writable(const std::filesystem::path& file) {
  { const Draft tried(place_of(file), file); }
  std::error_code ignored;
  const auto there = std::filesystem::status(file, ignored);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
    fail(file, "it is not a regular file");
  }
  require_no_database(file);
}

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  const auto absolute = [&](const std::filesystem::path& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, error), error);
  };
  return absolute(a) == absolute(b);
}

void require_outputs(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs) {
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    for (const NamedFile& input : inputs) require_other_file(*output, input);
    for (auto other = outputs.begin(); other != output; ++other) {
      require_other_file(*output, *other);
    }
    if (!output->file.empty()) require_writable(output->file);
  }
}

void write_whole_file(const std::filesystem::path& file, std::string_view text) {
  write_whole_file(file, [&](std::ostream& out) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  });
}

void write_whole_file(const std::filesystem::path& file,
                      const std::function<void(std::ostream&)>& write) {
  std::error_code error;
  const auto there = std::filesystem::status(file, error);
  if (std::filesystem::is_directory(there)) fail(file, "it is a folder");
  // A device or a pipe, such as /dev/stdout, must not be replaced by a file.
  if (std::filesystem::is_other(there)) return write_straight(file, file, write);
  require_no_database(file);
  const Draft draft(place_of(file), file);
  write_straight(draft.path(), file, write);
  if (std::filesystem::exists(there)) {
    std::filesystem::permissions(draft.path(), there.permissions(), error);
  }
  draft.move_to_place();
}

}  // namespace gtune
