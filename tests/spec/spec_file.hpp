#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include "spec/spec_reader.hpp"

namespace gtune {

/// A new folder for a test, removed at the end.
class TestFolder {
 public:
  TestFolder() {
    static std::atomic<int> count = 0;
    m_path = std::filesystem::temp_directory_path() /
             ("gtune_test_" + std::to_string(getpid()) + "_" + std::to_string(++count));
    std::filesystem::create_directories(m_path);
  }
  ~TestFolder() { std::filesystem::remove_all(m_path); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

  std::filesystem::path write(const std::filesystem::path& name, const std::string& text) const {
    std::filesystem::create_directories((m_path / name).parent_path());
    std::ofstream(m_path / name) << text;
    return m_path / name;
  }

 private:
  std::filesystem::path m_path;
};

/// Reads a spec from its text; its source is k.cu.
inline KernelSpec spec_of(const std::string& text) {
  const TestFolder folder;
  folder.write("k.cu", "// empty");
  return read_spec(folder.write("k.toml", text), {});
}

/// A spec with these parameters (lines of [params]), lets and constraints.
inline std::string spec_text(const std::string& params, const std::string& constraints = "",
                             const std::string& lets = "", const std::string& block = "32",
                             const std::string& shared = "0") {
  return R"([kernel]
source = "k.cu"
entry = "k"
[problem]
M = 4096
N = { default = "M" }
[params]
)" + params +
         "\n[let]\n" + lets + "\n[constraints]\n" + constraints +
         "\n[launch]\ngrid = [\"M\"]\nblock = [\"" + block + "\"]\nshared = \"" + shared + R"("
[[args]]
name = "A"
type = "f32"
count = "M"
direction = "out"
[check]
reference = { entry = "r", grid = [1], block = [32] }
rtol = 0.0
)";
}

}  // namespace gtune
