#include "worker/gpu_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "model/error.hpp"
#include "worker/worker_client.hpp"

namespace gtune {
namespace {

int open_lock_file(const std::string& path) {
  // An existing file first: in a sticky folder Linux refuses O_CREAT on somebody else's file.
  int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) {
    file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0) fchmod(file, 0666);  // other users take the same lock, whatever the umask
  }
  return file;
}

/// The lock's file, held; -1 where somebody else holds it, and `holder` says who.
int try_lock(const std::string& uuid, std::string& holder) {
  // Not $TMPDIR: everybody who uses the GPU has to find the same file.
  const std::string path = "/tmp/gtune-" + uuid + ".lock";
  const int file = open_lock_file(path);
  if (file < 0) throw UserError(ExitCode::failed, path + ": the GPU's lock cannot be opened");
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  char text[256] = {};
  const ssize_t length = pread(file, text, sizeof text - 1, 0);
  holder = length > 0 ? text : "another process";
  close(file);
  return -1;
}

}  // namespace

GpuLock::GpuLock(int file) : m_file(file) {
  const std::string me = "gtune, process " + std::to_string(getpid());
  if (ftruncate(m_file, 0) != 0 || pwrite(m_file, me.data(), me.size(), 0) < 0) {
    // Only the waiting user's message suffers.
  }
}

std::unique_ptr<GpuLock> GpuLock::try_take(const std::string& uuid, std::string& holder) {
  const int file = try_lock(uuid, holder);
  return file < 0 ? nullptr : std::unique_ptr<GpuLock>(new GpuLock(file));
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

GpuLock::~GpuLock() { close(m_file); }

}  // namespace gtune
