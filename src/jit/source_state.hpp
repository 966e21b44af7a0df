#pragma once

#include <ctime>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gtune {

/// The files that a source includes as they were at one moment. The compiler reads them again for
/// each configuration, so that an edit during a run would mix two versions.
class SourceState {
 public:
  /// Throws UserError where one cannot be read.
  explicit SourceState(std::span<const std::filesystem::path> files);

  /// Over the files' places and contents.
  [[nodiscard]] std::string digest() const;
  /// The first file that has other contents by now.
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
