#pragma once

#include <filesystem>

#include "system/file_descriptor.hpp"

namespace gtune {

/// A file under construction, to be renamed to its destination. Its folder, beside the destination,
/// is private and has an unpredictable name, so nobody can plant a link. The destructor removes the
/// folder. If the process is killed, the next draft beside it removes the folder: its lock is free.
class Draft {
 public:
  /// Throws UserError(failed) if nothing can be created there. `called`: the destination's name in
  /// messages, such as a link to it; if empty, `place`.
  explicit Draft(const std::filesystem::path& place, const std::filesystem::path& called = {});
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  /// Where to write; there is no file yet. A database may have its journals beside it.
  [[nodiscard]] const std::filesystem::path& path() const { return m_file; }
  /// Renames the file to its destination. Throws UserError(failed).
  void move_to_place() const;

 private:
  std::filesystem::path m_place;
  std::filesystem::path m_called;
  std::filesystem::path m_folder;
  std::filesystem::path m_file;
  FileDescriptor m_lock;  // on the folder, as long as this process lives
};

}  // namespace gtune
