#include "spec/spec_text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "model/error.hpp"
#include "system/file_descriptor.hpp"

namespace gtune {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what) {
  throw UserError(ExitCode::usage, file.string() + ": " + what + "; expected a spec in TOML");
}

struct OpenFile {
  FileDescriptor descriptor;
  std::size_t size;
};

/// A regular file: anything else may never end, or hang before it begins.
OpenFile open_regular(const std::filesystem::path& file) {
  FileDescriptor open_file(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat facts = {};
  if (open_file.get() < 0 || fstat(open_file.get(), &facts) != 0) refuse(file, "cannot be read");
  if (!S_ISREG(facts.st_mode)) refuse(file, "cannot be read: it is not a regular file");
  return {std::move(open_file), static_cast<std::size_t>(facts.st_size)};
}

}  // namespace

std::string read_spec_text(const std::filesystem::path& file) {
  const OpenFile open_file = open_regular(file);
  // One byte more than there is, to meet the end; a file that grows meanwhile gets more room.
  std::string text(std::min(open_file.size, most_spec_bytes) + 1, '\0');
  std::size_t size = 0;
  for (;;) {
    if (size == text.size()) {
      if (size > most_spec_bytes) break;
      text.resize(std::min(2 * size, most_spec_bytes + 1));
    }
    const ssize_t count = read(open_file.descriptor.get(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(file, "cannot be read");
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  if (size > most_spec_bytes) refuse(file, "cannot be read: it is larger than 1 MiB");
  text.resize(size);
  return text;
}

}  // namespace gtune
