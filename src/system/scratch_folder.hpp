#pragma once

#include <filesystem>

namespace gtune {

/// A new folder for this user's temporary files, removed with all that is in it.
class ScratchFolder {
 public:
  /// In $TMPDIR, or in /tmp where that holds characters that a shell takes for commands. Throws
  /// UserError(failed).
  ScratchFolder();
  /// Waits a moment for processes that are being killed and still write there.
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
};

}  // namespace gtune
