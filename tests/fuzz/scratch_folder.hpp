#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace gtune::fuzz {

/// A folder in memory, for targets whose input must be a file. The constructor empties it: an
/// earlier child may have crashed and left it.
class ScratchFolder {
 public:
  ScratchFolder() {
    const std::filesystem::path memory = "/dev/shm";
    m_path =
        std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    m_path /= "gtune_fuzz_" GTUNE_FUZZ_TARGET "_" + std::to_string(getppid());
    std::filesystem::remove_all(m_path);
    std::filesystem::create_directories(m_path);
    std::filesystem::permissions(m_path, std::filesystem::perms::owner_all);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

  std::filesystem::path write(const std::string& name, const std::string& content) const {
    std::ofstream(m_path / name, std::ios::binary) << content;
    return m_path / name;
  }

 private:
  std::filesystem::path m_path;
};

}  // namespace gtune::fuzz
