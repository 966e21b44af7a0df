#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "jit/compile_request.hpp"
#include "jit/kernel_request.hpp"

namespace gtune::test {

/// A folder that is there as long as the object is.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "gtune_jit_XXXXXX").string();
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

/// Sets a variable of the environment and puts it back.
class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const std::string& value) : m_name(name) {
    if (const char* old = std::getenv(name)) m_old = old, m_was_set = true;
    setenv(name, value.c_str(), 1);
  }
  ~EnvironmentVariable() { m_was_set ? setenv(m_name, m_old.c_str(), 1) : unsetenv(m_name); }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

 private:
  const char* m_name;
  std::string m_old;
  bool m_was_set = false;
};

inline const std::string arch = "sm_90a";

inline const std::string scale_source =
    "extern \"C\" __global__ void scale(float* data) { data[threadIdx.x] *= FACTOR; }\n";

/// A small kernel; `factor` makes it a different one.
inline KernelRequest scale_request(int factor) {
  return KernelSource(scale_source, "scale.cu")
      .request("scale", {"-DFACTOR=" + std::to_string(factor)}, arch);
}

inline CompileRequest request_for(const std::string& source, const std::string& entry,
                                  const std::string& target = arch) {
  return KernelSource(source, "test.cu").request(entry, {}, target).compile;
}

inline std::vector<std::string> compiler_command() { return {"/proc/self/exe", "compiler"}; }

}  // namespace gtune::test
