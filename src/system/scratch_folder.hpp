#pragma once

#include <filesystem>

namespace gtune {

/// A new private folder for temporary files, removed with its contents.
class ScratchFolder {
 public:
  /// Creates the folder in $TMPDIR, or in /tmp if $TMPDIR is unset, relative or needs quoting in a
  /// shell. Throws UserError(failed).
  ScratchFolder();
  /// Retries for about a second: processes that are being killed may still write there.
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
};

}  // namespace gtune
