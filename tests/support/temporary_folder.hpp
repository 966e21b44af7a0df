#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace gtune::test {

/// A folder that exists as long as the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "gtune_test_XXXXXX").string();
    m_path = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((m_path / name).parent_path());
    std::ofstream(m_path / name, std::ios::binary) << text;
    return m_path / name;
  }

 private:
  std::filesystem::path m_path;
};

}  // namespace gtune::test
