#include "store/connection.hpp"

#include <SQLiteCpp/Backup.h>
#include <sqlite3.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

#include "model/error.hpp"
#include "store/answer_views.hpp"
#include "store/interruption.hpp"
#include "store/schema.hpp"
#include "store/sqlite_error.hpp"
#include "store/views.hpp"

namespace gtune {

namespace fs = std::filesystem;

namespace {

using Connection = std::unique_ptr<SQLite::Database>;
using std::chrono::milliseconds;

// Options of a database's URI.
/// Nobody writes the file: SQLite takes no locks and reads no journal.
constexpr const char* k_immutable = "immutable=1";
/// The file's journal and shared memory are there: SQLite locks them, but neither creates nor
/// writes them.
constexpr const char* k_untouched = "readonly_shm=1&mode=ro";
/// How the URI of a copy in memory begins.
constexpr const char* copy_uri_start = "file:/gtune-newer-copy-";

std::string database_uri(const fs::path& path, const std::string& options) {
  constexpr std::string_view k_digits = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : path.string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '%' || c == '?' || c == '#') {
      uri += {'%', k_digits[byte >> 4], k_digits[byte & 15]};
    } else {
      uri += c;
    }
  }
  return uri + "?" + options;
}

[[noreturn]] void refuse(const std::string& line) { throw UserError(ExitCode::failed, line); }

/// Refuses paths for which SQLite's own error would be less clear.
void check_path(const fs::path& path, OpenMode mode) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) {
    refuse("database " + shown(path) + " cannot be reached (" + error.message() + ")");
  }
  if (fs::is_directory(status)) {
    refuse("database " + shown(path) + " is a folder: give a file, such as " +
           shown(path / "gtune.db"));
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    refuse("database " + shown(path) + " is not a regular file: give another database");
  }
  if (mode != OpenMode::create && !fs::exists(status)) {
    throw UserError(ExitCode::nothing_stored, "no database at " + shown(path) +
                                                  ": tune a kernel first, `gtune list` shows " +
                                                  "which, or give --db FILE");
  }
  if (mode == OpenMode::create && !fs::exists(status)) {
    fs::create_directories(path.parent_path(), error);
    if (error) {
      refuse("cannot make the folder " + shown(path.parent_path()) + " for the database (" +
             error.message() + "): give another database");
    }
  }
}

/// The errno that explains why a file cannot be opened, 0 if unknown. Does not open the file:
/// closing a descriptor would drop the locks of every other connection in this process.
int access_error(const fs::path& path) {
  const bool exists = ::access(path.c_str(), F_OK) == 0;
  const int result =
      exists ? ::access(path.c_str(), R_OK) : ::access(path.parent_path().c_str(), W_OK | X_OK);
  return result == 0 ? 0 : errno;
}

/// The file may come from someone else. gtune has no triggers: a foreign one could only corrupt
/// what is stored. Views, defaults and checks may not call functions with side effects.
void trust_only_tables(SQLite::Database& database) {
  for (const auto& [setting, value] :
       {std::pair(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), std::pair(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        std::pair(SQLITE_DBCONFIG_DEFENSIVE, 1)}) {
    sqlite3_db_config(database.getHandle(), setting, value, nullptr);
  }
  database.exec("PRAGMA cell_size_check = ON");
}

Connection open_file(const fs::path& path, const std::string& name, int flags,
                     milliseconds busy_timeout) {
  try {
    auto database =
        std::make_unique<SQLite::Database>(name, flags, static_cast<int>(busy_timeout.count()));
    trust_only_tables(*database);
    make_interruptible(*database, busy_timeout);
    return database;
  } catch (const SQLite::Exception& error) {
    throw user_error(path, error, access_error(path));
  }
}

/// If two processes switch at once, SQLite may refuse both without calling the busy handler, since
/// waiting would deadlock: hence the loop.
void switch_to_wal(SQLite::Database& database, milliseconds busy_timeout) {
  const auto give_up = std::chrono::steady_clock::now() + busy_timeout;
  while (true) {
    try {
      SQLite::Statement(database, "PRAGMA journal_mode = WAL").executeStep();
      return;
    } catch (const SQLite::Exception& error) {
      if (error.getErrorCode() != SQLITE_BUSY || std::chrono::steady_clock::now() > give_up) throw;
      std::this_thread::sleep_for(milliseconds(5));
    }
  }
}

Connection open_for_writing(const fs::path& path, milliseconds busy_timeout) {
  Connection database =
      open_file(path, path.string(),
                SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_URI, busy_timeout);
  with_user_errors(path, *database, [&] {
    // First: a file that is not gtune's must stay unchanged.
    (void)checked_schema_version(*database, path);
    if (sqlite3_db_readonly(database->getHandle(), "main") == 1) {
      refuse("database " + shown(path) +
             " is read-only: make the file and its folder writable, or give another database");
    }
    switch_to_wal(*database, busy_timeout);
    // A crash of the program loses no commit; a power failure may lose the latest.
    database->exec("PRAGMA synchronous = NORMAL");
    const bool was_older = migrate(*database, path, [&] {
      define_answer_views(*database);
      refresh_all_views(*database);
    });
    database->exec("PRAGMA foreign_keys = ON");
    if (!was_older) define_answer_views(*database);
  });
  return database;
}

bool has_content(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  return !error && size > 0;
}

Connection open_in_memory(const fs::path& path, milliseconds busy_timeout) {
  Connection database =
      open_file(path, ":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_URI, busy_timeout);
  with_user_errors(path, *database, [&] {
    migrate(*database, path);
    define_answer_views(*database);
  });
  return database;
}

/// A copy in memory, brought up to date: the file must not be changed. ATTACH finds the copy by its
/// URI as long as it is open.
Connection newer_copy(SQLite::Database& old, const fs::path& path, milliseconds busy_timeout) {
  static std::atomic<int> copies = 0;
  const std::string name = copy_uri_start + std::to_string(++copies) + "?vfs=memdb";
  Connection copy = open_file(
      path, name, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_URI, busy_timeout);
  with_user_errors(path, *copy, [&] {
    // SQLite's default is 1 GiB.
    sqlite3_int64 most_bytes = std::int64_t{1} << 40;
    sqlite3_file_control(copy->getHandle(), "main", SQLITE_FCNTL_SIZE_LIMIT, &most_bytes);
    // Not a backup: that would also copy the mark of WAL databases, which memory cannot hold.
    SQLite::Statement vacuum(old, "VACUUM INTO ?");
    vacuum.bind(1, name);
    vacuum.exec();
    migrate(*copy, path);
  });
  return copy;
}

/// Opens without the shared-memory file that SQLite keeps beside a WAL database: it cannot create
/// one in a read-only folder, and elsewhere would leave it behind. Without a journal to merge, the
/// file alone is complete.
Connection open_immutable(const fs::path& path, milliseconds busy_timeout) {
  const fs::path journal = path.string() + "-wal";
  if (has_content(journal)) {
    refuse("database " + shown(path) + " has changes in " + shown(journal.filename()) +
           " that cannot be merged in this folder: copy both files to a writable folder and give "
           "the copy as --db");
  }
  return open_file(path, database_uri(path, k_immutable), SQLite::OPEN_READONLY | SQLite::OPEN_URI,
                   busy_timeout);
}

/// Reads someone else's database without creating or changing a file. A journal with content means
/// that a program is writing the database, or was killed while writing.
Connection open_untouched(const fs::path& path, milliseconds busy_timeout) {
  std::error_code error;
  const bool interrupted =
      has_content(path.string() + "-journal") ||
      (has_content(path.string() + "-wal") && !fs::exists(path.string() + "-shm", error));
  if (interrupted) {
    refuse("database " + shown(path) +
           " has an unfinished transaction: ask its owner to tune any kernel with it once");
  }
  if (!has_content(path.string() + "-wal")) return open_immutable(path, busy_timeout);
  return open_file(path, database_uri(path, k_untouched), SQLite::OPEN_READONLY | SQLite::OPEN_URI,
                   busy_timeout);
}

int readable_version(const SQLite::Database& database, const fs::path& path) {
  return with_user_errors(path, database, [&] { return checked_schema_version(database, path); });
}

/// Read-only; as immutable only if the folder allows nothing else. Also returns the schema version.
std::pair<Connection, int> open_as_it_can_be(const fs::path& path, milliseconds busy_timeout) {
  Connection database = open_file(path, path.string(), SQLite::OPEN_READONLY, busy_timeout);
  try {
    const int version = checked_schema_version(*database, path);
    return {std::move(database), version};
  } catch (const SQLite::Exception& error) {
    const int code = error.getErrorCode();
    if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY) {
      throw user_error(path, error, sqlite3_system_errno(database->getHandle()));
    }
  }
  database = open_immutable(path, busy_timeout);
  const int version = readable_version(*database, path);
  return {std::move(database), version};
}

Connection open_for_reading(const fs::path& path, OpenMode mode, milliseconds busy_timeout) {
  Connection database;
  int version = 0;
  if (mode == OpenMode::immutable || mode == OpenMode::untouched) {
    database = mode == OpenMode::immutable ? open_immutable(path, busy_timeout)
                                           : open_untouched(path, busy_timeout);
    version = readable_version(*database, path);
  } else {
    std::tie(database, version) = open_as_it_can_be(path, busy_timeout);
  }
  if (version == 0) {
    throw UserError(ExitCode::nothing_stored,
                    "database " + shown(path) + " is empty: tune a kernel first");
  }
  if (version < k_schema_version) database = newer_copy(*database, path, busy_timeout);
  with_user_errors(path, *database, [&] { define_answer_views(*database); });
  return database;
}

}  // namespace

std::string uri_to_read_again(SQLite::Database& open, const fs::path& path) {
  if (open.getFilename().starts_with(copy_uri_start)) return open.getFilename();
  const char* file = sqlite3_db_filename(open.getHandle(), "main");
  for (const char* options : {k_immutable, k_untouched}) {
    const std::string name(options, std::strcspn(options, "="));
    if (sqlite3_uri_boolean(file, name.c_str(), 0) != 0) return database_uri(path, options);
  }
  return database_uri(path, "mode=ro");
}

Connection open_connection(const fs::path& path, OpenMode mode, milliseconds busy_timeout) {
  if (mode == OpenMode::in_memory) return open_in_memory(path, busy_timeout);
  check_path(path, mode);
  return mode == OpenMode::create ? open_for_writing(path, busy_timeout)
                                  : open_for_reading(path, mode, busy_timeout);
}

}  // namespace gtune
