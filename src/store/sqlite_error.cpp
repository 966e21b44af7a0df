#include "store/sqlite_error.hpp"

#include <cstring>

#include "model/json.hpp"
#include "store/interruption.hpp"

namespace gtune {

namespace {

std::string because(int system_error) {
  return system_error == 0 ? "" : std::string(" (") + std::strerror(system_error) + ")";
}

std::string meaning(const std::string& database, const SQLite::Exception& error, int system_error) {
  switch (error.getErrorCode()) {
    case SQLITE_FULL:
      return database + " cannot grow, the disk is full: free some space and run again; what was " +
             "stored before is safe";
    case SQLITE_IOERR:
      return database + " cannot be read or written" + because(system_error) +
             ": check its disk and run again; what was stored before is safe";
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return database + " cannot be written: make the file and its folder writable, or give " +
             "another database";
    case SQLITE_CANTOPEN:
      return database + " cannot be opened" + because(system_error) +
             ": check the permissions of the file and its folder, or give another database";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return database + " is locked by another program: run again when that one is done";
    case SQLITE_NOTADB:
      return database + " is not a database: give another database";
    case SQLITE_CORRUPT:
      return database + " is damaged: move it away, or save what can be read with sqlite3's " +
             ".recover";
    default:
      return database + ": " + error.what();
  }
}

}  // namespace

std::string shown(const std::filesystem::path& path) {
  std::string text = path.string();
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = '?';
  }
  return text;
}

UserError user_error(const std::filesystem::path& path, const SQLite::Exception& error,
                     int system_error) {
  const int code = error.getErrorCode();
  if (code == SQLITE_INTERRUPT || (code == SQLITE_BUSY && database_interrupted())) {
    return {ExitCode::interrupted, "interrupted; no database and no file was changed"};
  }
  return {ExitCode::failed, meaning("database " + shown(path), error, system_error)};
}

UserError unexpected_value(const std::filesystem::path& path, const std::exception& error) {
  return {ExitCode::failed, "database " + shown(path) +
                                " holds a value that gtune did not write: " + json_fault(error)};
}

}  // namespace gtune
