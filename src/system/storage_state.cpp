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

}  // namespace

StorageState storage_state(const fs::path& path) {
  StorageState state;
  state.path = path.string();
  const fs::path place = nearest_existing(path);
  std::error_code error;
  const fs::space_info space = fs::space(place, error);
  if (!error) state.free_bytes = space.available;
  state.writable = access(place.c_str(), W_OK) == 0;
  return state;
}

}  // namespace gtune
