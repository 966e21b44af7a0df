#include "system/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace gtune {

FolderLock::FolderLock(const std::filesystem::path& folder)
    : m_folder(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (m_folder.get() < 0) return;
  while (flock(m_folder.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
}

}  // namespace gtune
