#include "system/find_program.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "system/toolkit_folders.hpp"

namespace gtune {

namespace fs = std::filesystem;

bool is_program(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

std::optional<fs::path> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (folder.starts_with('/') && is_program(fs::path(folder) / name)) {
      return fs::path(folder) / name;
    }
  }
  return std::nullopt;
}

std::optional<std::filesystem::path> find_toolkit_program(const std::string& name) {
  if (auto found = find_program(name)) return found;
  for (const auto& toolkit : toolkit_folders()) {
    auto file = toolkit / "bin" / name;
    if (is_program(file)) return file;
  }
  return std::nullopt;
}

}  // namespace gtune
