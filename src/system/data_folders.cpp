#include "system/data_folders.hpp"

#include <algorithm>
#include <cstdlib>

#include "model/error.hpp"

namespace gtune {

std::filesystem::path program_path() {
  std::error_code error;
  std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) return path;
  throw UserError(ExitCode::failed, "/proc/self/exe cannot be read (" + error.message() +
                                        "): gtune needs /proc to find its files");
}

std::vector<std::filesystem::path> data_folders() {
  const std::filesystem::path here = program_path().parent_path();
  std::vector<std::filesystem::path> candidates;
  if (const char* named = std::getenv("GTUNE_DATA"); named != nullptr && *named != '\0') {
    candidates.emplace_back(named);
    std::error_code ignored;
    if (!std::filesystem::is_directory(candidates.back() / "tuner_configs", ignored)) {
      // Kernels of the same names from other folders would be used in place of the intended ones.
      throw UserError(ExitCode::usage, "GTUNE_DATA=" + candidates.back().string() +
                                           ": it is not a folder that contains tuner_configs");
    }
  }
  candidates.push_back(here);
  candidates.push_back(here.parent_path());
  candidates.push_back(here.parent_path() / "share" / "gtune");
  std::vector<std::filesystem::path> found;
  for (const auto& folder : candidates) {
    std::error_code ignored;
    const bool is_known = std::any_of(found.begin(), found.end(), [&](const auto& each) {
      return std::filesystem::equivalent(each, folder, ignored);
    });
    if (!is_known && std::filesystem::is_directory(folder / "tuner_configs", ignored)) {
      found.push_back(folder);
    }
  }
  return found;
}

std::optional<std::filesystem::path> bundled_database() {
  for (const auto& folder : data_folders()) {
    std::error_code ignored;
    std::filesystem::path file = folder / "db" / "shipped.db";
    if (std::filesystem::is_regular_file(file, ignored)) return file;
  }
  return std::nullopt;
}

}  // namespace gtune
