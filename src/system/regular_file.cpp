#include "system/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "model/error.hpp"
#include "system/file_descriptor.hpp"

namespace gtune {
namespace {

struct OpenFile {
  FileDescriptor descriptor;
  std::size_t size;
};

/// For a call that has just failed.
std::runtime_error unreadable() {
  return std::runtime_error(std::string("cannot be read: ") + std::strerror(errno));
}

/// Opens without blocking, because opening a FIFO could hang. Throws std::runtime_error.
OpenFile open_regular(const std::filesystem::path& file) {
  FileDescriptor open_file(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat facts = {};
  if (open_file.get() < 0 || fstat(open_file.get(), &facts) != 0) throw unreadable();
  if (!S_ISREG(facts.st_mode)) throw std::runtime_error("cannot be read: it is not a regular file");
  return {std::move(open_file), static_cast<std::size_t>(facts.st_size)};
}

std::string read_all(const std::filesystem::path& file, std::size_t most_bytes) {
  const OpenFile open_file = open_regular(file);
  // One byte more than the file has, to detect its end; grows if the file grows meanwhile.
  std::string text(std::min(open_file.size, most_bytes) + 1, '\0');
  std::size_t size = 0;
  for (;;) {
    if (size == text.size()) {
      if (size > most_bytes) break;
      text.resize(std::min(2 * size, most_bytes + 1));
    }
    const ssize_t count = read(open_file.descriptor.get(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw unreadable();
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  if (size > most_bytes)
    throw std::runtime_error("cannot be read: it is larger than " +
                             std::to_string(most_bytes >> 20) + " MiB");
  text.resize(size);
  return text;
}

}  // namespace

std::string read_regular_file(const std::filesystem::path& file, std::size_t most_bytes,
                              const std::string& expected) {
  try {
    return read_all(file, most_bytes);
  } catch (const std::runtime_error& error) {
    throw UserError(ExitCode::usage,
                    file.string() + ": " + error.what() + "; expected " + expected);
  }
}

}  // namespace gtune
