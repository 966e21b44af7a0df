#include "store/default_path.hpp"

#include <cstdlib>

#include "model/error.hpp"

namespace gtune {

namespace {

std::filesystem::path from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

std::filesystem::path default_database_path() {
  if (auto file = from_environment("GTUNE_DB"); !file.empty()) return file;
  // The XDG specification says to ignore relative values.
  if (const auto data = from_environment("XDG_DATA_HOME"); data.is_absolute()) {
    return data / "gtune" / "gtune.db";
  }
  if (const auto home = from_environment("HOME"); !home.empty()) {
    return home / ".local" / "share" / "gtune" / "gtune.db";
  }
  throw UserError(ExitCode::failed,
                  "no place for the database: HOME is not set; give --db FILE or set GTUNE_DB");
}

}  // namespace gtune
