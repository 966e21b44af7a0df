#pragma once

#include <filesystem>

#include "system/file_descriptor.hpp"

namespace gtune {

/// A file under construction, to be renamed to its destination. It is in a folder beside the
/// destination that nobody else can write and with a name that nobody can guess, so that no planted
/// link is followed. The destructor removes the folder. A killed process leaves it; the next draft
/// beside it removes it, since a lock shows that its maker is gone.
class Draft {
 public:
  /// Throws UserError(failed) if nothing can be created there. `called`: the destination's name in
  /// messages, such as a link to it; empty: its own.
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
  FileDescriptor m_lock;  // of the folder, for as long as its maker lives
};

}  // namespace gtune
