#pragma once

#include <filesystem>

#include "system/file_descriptor.hpp"

namespace gtune {

/// A file that is to take a place: until then it lies beside it, in a folder of its own that nobody
/// else can write and whose name nobody can guess, so that no link planted there is followed.
/// The folder goes with the object. A process that is killed leaves it: the next one that makes a
/// draft beside it removes it, knowing by a lock that its maker is gone.
class Draft {
 public:
  /// Throws UserError(failed) where nothing can be made there. `called`: what messages call the
  /// place, such as a link to it; empty: what it is.
  explicit Draft(const std::filesystem::path& place, const std::filesystem::path& called = {});
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  /// Where to write; there is no file yet. A database may have its journals beside it.
  [[nodiscard]] const std::filesystem::path& path() const { return m_file; }
  /// What was written is in its place. Throws UserError(failed).
  void move_to_place() const;

 private:
  std::filesystem::path m_place;
  std::filesystem::path m_called;
  std::filesystem::path m_folder;
  std::filesystem::path m_file;
  FileDescriptor m_lock;  // of the folder, for as long as its maker lives
};

}  // namespace gtune
