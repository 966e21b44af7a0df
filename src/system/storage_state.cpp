#include "system/storage_state.hpp"

#include <unistd.h>

namespace gtune {
namespace {

namespace fs = std::filesystem;

/// The path itself, or the nearest folder above it that exists.
fs::path nearest_existing(fs::path path) {
  std::error_code error;
  if (path.is_relative()) path = fs::absolute(path, error);
  while (!fs::exists(path, error) && path.has_relative_path()) path = path.parent_path();
  return path;
}

/// Whether files can be created there.
bool is_open_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error) && access(path.c_str(), W_OK | X_OK) == 0;
}

/// `place`: the nearest existing part of `path`.
StorageState state_of(const fs::path& path, const fs::path& place) {
  StorageState state;
  state.path = path.string();
  std::error_code error;
  const fs::space_info space = fs::space(place, error);
  if (!error) state.free_bytes = space.available;
  state.writable = is_open_folder(place);
  return state;
}

}  // namespace

StorageState folder_state(const fs::path& path) { return state_of(path, nearest_existing(path)); }

StorageState file_state(const fs::path& path) {
  std::error_code error;
  const fs::path file = fs::canonical(path, error);  // SQLite follows links, too
  if (error) return folder_state(path);
  StorageState state = state_of(path, file.parent_path());
  state.writable =
      state.writable && !fs::is_directory(file, error) && access(file.c_str(), W_OK) == 0;
  return state;
}

}  // namespace gtune
