#include "system/draft.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

#include "model/error.hpp"
#include "system/hash.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

// A draft's folder: ".gtune-draft-", a digest of the host name, the process ID, 16 random digits.
constexpr std::string_view k_draft_folder = ".gtune-draft-";
constexpr std::size_t k_random_digits = 16;
constexpr const char* k_draft_file = "draft";

[[noreturn]] void fail_at(const fs::path& place, const std::string& why) {
  throw UserError(ExitCode::failed, place.string() + " cannot be written: " + why);
}

/// The prefix of this machine's drafts. Other machines may not see their locks.
std::string drafts_of_this_machine() {
  char name[HOST_NAME_MAX + 1] = {};
  gethostname(name, HOST_NAME_MAX);
  return std::string(k_draft_folder) + hex_digest(name).substr(0, 8) + "-";
}

std::string own_drafts() { return drafts_of_this_machine() + std::to_string(getpid()) + "-"; }

std::string random_digits() {
  std::random_device random;
  char digits[k_random_digits + 1];
  std::snprintf(digits, sizeof digits, "%08x%08x", random(), random());
  return digits;
}

bool all(std::string_view text, int (*is_one)(int)) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [&](unsigned char c) { return is_one(c) != 0; });
}

/// Whether the name is that of a draft of this machine. Also of this process, since its number may
/// have been that of a killed one, as in a container: a draft in use is locked.
bool is_draft(std::string_view name) {
  const std::string machine = drafts_of_this_machine();
  if (!name.starts_with(machine)) return false;
  name.remove_prefix(machine.size());
  const std::size_t dash = std::min(name.find('-'), name.size() - 1);
  return all(name.substr(0, dash), std::isdigit) && name.size() - dash - 1 == k_random_digits &&
         all(name.substr(dash + 1), std::isxdigit);
}

/// Removes a draft's own files, then the folder if it is empty.
void remove_draft(const fs::path& folder) {
  std::error_code ignored;
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    fs::remove(folder / (std::string(k_draft_file) + suffix), ignored);
  }
  rmdir(folder.c_str());
}

FileDescriptor lock_folder(const fs::path& folder) {
  FileDescriptor lock(
      open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (lock.get() < 0 || flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return {};
  return lock;
}

void remove_leftovers(const fs::path& beside) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(beside, error)) {
    const fs::path& folder = entry.path();
    struct stat there {};
    if (!is_draft(folder.filename().string()) || lstat(folder.c_str(), &there) != 0 ||
        !S_ISDIR(there.st_mode) || there.st_uid != geteuid()) {
      continue;
    }
    if (const FileDescriptor lock = lock_folder(folder); lock.get() >= 0) remove_draft(folder);
  }
}

}  // namespace

Draft::Draft(const fs::path& place, const fs::path& called)
    : m_place(place), m_called(called.empty() ? place : called) {
  const fs::path beside = place.has_parent_path() ? place.parent_path() : fs::path(".");
  remove_leftovers(beside);
  // Tries again if another process removed the folder as a leftover before it was locked.
  for (int attempt = 0; attempt < 10 && m_lock.get() < 0; ++attempt) {
    if (attempt > 0) rmdir(m_folder.c_str());  // it cannot be locked
    m_folder = beside / (own_drafts() + random_digits());
    if (mkdir(m_folder.c_str(), 0700) != 0) {
      if (errno == ENOSPC || errno == EDQUOT) fail_at(m_called, std::strerror(errno));
      fail_at(m_called, "its folder is missing or not writable");
    }
    m_lock = lock_folder(m_folder);
    if (m_lock.get() >= 0 && access(m_folder.c_str(), F_OK) != 0) m_lock.reset();
  }
  m_file = m_folder / k_draft_file;
}

Draft::~Draft() { remove_draft(m_folder); }

void Draft::move_to_place() const {
  std::error_code error;
  fs::rename(m_file, m_place, error);
  if (error) fail_at(m_called, error.message());
}

}  // namespace gtune
