#pragma once

#include <filesystem>
#include <string>

namespace gtune {

/// A database beside another file until it takes that file's place; removed if it does not.
class ScratchFile {
 public:
  ScratchFile(const std::filesystem::path& beside, const std::string& purpose);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  /// Of a database that was closed. Throws UserError(failed).
  void rename_to(const std::filesystem::path& file) const;

 private:
  std::filesystem::path m_path;
};

}  // namespace gtune
