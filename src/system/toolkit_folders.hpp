#pragma once

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace gtune {

/// Folders that may hold the CUDA Toolkit: $CUDA_HOME, $CUDA_PATH, /usr/local/cuda.
[[nodiscard]] inline std::vector<std::filesystem::path> toolkit_folders() {
  std::vector<std::filesystem::path> folders;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') folders.emplace_back(value);
  }
  folders.emplace_back("/usr/local/cuda");
  return folders;
}

}  // namespace gtune
