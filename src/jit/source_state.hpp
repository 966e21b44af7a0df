#pragma once

#include <ctime>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gtune {

/// The files that a source includes, as they were at one moment. The compiler reads them again for
/// each configuration, so an edit during a run would mix two versions.
class SourceState {
 public:
  /// Throws UserError if a file cannot be read.
  explicit SourceState(std::span<const std::filesystem::path> files);

  /// Digest of the files' paths and contents.
  [[nodiscard]] std::string digest() const;
  /// The first file whose contents have changed.
  [[nodiscard]] std::optional<std::filesystem::path> changed() const;

 private:
  struct File {
    std::filesystem::path path;
    timespec written{};
    std::string digest;
  };

  std::vector<File> m_files;
};

}  // namespace gtune
