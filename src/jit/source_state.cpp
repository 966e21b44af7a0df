#include "jit/source_state.hpp"

#include <sys/stat.h>

#include "jit/include_scanner.hpp"
#include "model/error.hpp"
#include "system/hash.hpp"

namespace gtune {
namespace {

timespec time_written(const std::filesystem::path& file) {
  struct stat facts {};
  return stat(file.c_str(), &facts) == 0 ? facts.st_ctim : timespec{};
}

bool is_same(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool has_contents(const std::filesystem::path& file, const std::string& digest) {
  try {
    return hex_digest(read_text(file)) == digest;
  } catch (const UserError&) {
    return false;
  }
}

}  // namespace

SourceState::SourceState(std::span<const std::filesystem::path> files) {
  for (const std::filesystem::path& file : files) {
    const timespec written = time_written(file);  // first, so an edit during the read is noticed
    m_files.push_back({file, written, hex_digest(read_text(file))});
  }
}

std::string SourceState::digest() const {
  std::string all;
  for (const File& file : m_files) all += hex_digest(file.path.string()) + file.digest;
  return hex_digest(all);
}

std::optional<std::filesystem::path> SourceState::changed() const {
  for (const File& file : m_files) {
    if (is_same(time_written(file.path), file.written)) continue;
    if (!has_contents(file.path, file.digest)) return file.path;
  }
  return std::nullopt;
}

}  // namespace gtune
