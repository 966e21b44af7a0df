#include "worker/gpu_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "model/error.hpp"
#include "worker/worker_client.hpp"

namespace gtune {
namespace {

/// Not below $TMPDIR: all users of the GPU must find the same file.
std::string lock_path(std::string uuid) {
  const auto is_of_a_uuid = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; };
  std::replace_if(
      uuid.begin(), uuid.end(), [&](unsigned char c) { return !is_of_a_uuid(c); }, '_');
  return "/tmp/gtune-" + uuid + ".lock";
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw UserError(ExitCode::failed, path + ": the GPU's lock cannot be taken: " + why);
}

constexpr int safely = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;

/// Opens the file for reading, which suffices for a lock: no file is ever changed. No descriptor if
/// there is no file.
FileDescriptor open_existing(const std::string& path) {
  FileDescriptor file(open(path.c_str(), safely));
  if (file.get() >= 0 || errno == ENOENT) return file;
  if (errno == ELOOP) refuse(path, "it is a link; remove it");
  refuse(path, std::strerror(errno));
}

/// The same, but makes the file if there is none.
FileDescriptor open_lock_file(const std::string& path) {
  // In a sticky folder, Linux may refuse O_CREAT on another user's file, so an existing file is
  // tried first. Repeats if another process creates it in between.
  for (int attempt = 0; attempt < 3; ++attempt) {
    FileDescriptor file = open_existing(path);
    if (file.get() >= 0) return file;
    file = FileDescriptor(open(path.c_str(), safely | O_CREAT | O_EXCL, 0444));
    if (file.get() >= 0) {
      fchmod(file.get(), 0444);  // other users must be able to open it, whatever the umask
      return file;
    }
    if (errno != EEXIST) refuse(path, std::strerror(errno));
  }
  refuse(path, "other processes create and remove it again and again");
}

/// The process that holds the lock according to Linux. Lines of /proc/locks look like
/// "1: FLOCK  ADVISORY  WRITE 4711 fe:00:393241 0 EOF"; those of other containers have no process.
std::string holder_of(const struct stat& file) {
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advisory, access, where;
    long pid = 0;
    if (!(words >> number >> kind >> advisory >> access >> pid >> where)) continue;
    const std::string inode = where.substr(where.rfind(':') + 1);
    if (kind == "FLOCK" && pid > 0 && inode == std::to_string(file.st_ino)) {
      return "process " + std::to_string(pid);
    }
  }
  return "another process";
}

/// Locks the file if that is possible without waiting. `how`: LOCK_EX or LOCK_SH. Returns the
/// process that prevents it; empty if the file is locked.
std::string lock_or_holder(const FileDescriptor& file, const std::string& path, int how) {
  struct stat facts {};
  if (fstat(file.get(), &facts) != 0) refuse(path, std::strerror(errno));
  if (!S_ISREG(facts.st_mode)) refuse(path, "it is not a regular file; remove it");
  if (flock(file.get(), how | LOCK_NB) == 0) return "";
  if (errno != EWOULDBLOCK) refuse(path, std::strerror(errno));
  return holder_of(facts);
}

}  // namespace

std::unique_ptr<GpuLock> GpuLock::try_take(const std::string& uuid, std::string& holder) {
  const std::string path = lock_path(uuid);
  FileDescriptor file = open_lock_file(path);
  const std::string other = lock_or_holder(file, path, LOCK_EX);
  if (other.empty()) return std::unique_ptr<GpuLock>(new GpuLock(std::move(file)));
  holder = other;
  return nullptr;
}

std::optional<std::string> GpuLock::holder(const std::string& uuid) {
  const std::string path = lock_path(uuid);
  const FileDescriptor file = open_existing(path);
  if (file.get() < 0) return std::nullopt;
  std::string other = lock_or_holder(file, path, LOCK_SH);
  if (other.empty()) return std::nullopt;
  return other;
}

std::unique_ptr<GpuLock> GpuLock::take(const std::string& uuid, IfHeld if_held,
                                       const std::function<void(const std::string&)>& announce,
                                       const std::function<bool()>& interrupted) {
  bool announced = false;
  for (;;) {
    std::string holder;
    if (auto lock = try_take(uuid, holder)) return lock;
    const std::string line = "the GPU is in use by " + holder;
    if (if_held == IfHeld::refuse) {
      throw UserError(ExitCode::failed, line + "; try later, or leave out --no-wait");
    }
    if (!announced) announce(line + "; waiting (--no-wait refuses instead)");
    announced = true;
    if (interrupted()) throw Interrupted();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace gtune
