#pragma once

#include <filesystem>

#include "system/file_descriptor.hpp"

namespace gtune {

/// Holds a folder's lock, so that processes replace files in it one after another. It is on the
/// folder itself and leaves no file. Waits for the lock; on a file system without locks, it does
/// nothing.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  FileDescriptor m_folder;
};

}  // namespace gtune
