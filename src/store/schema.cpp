#include "store/schema.hpp"

#include <array>
#include <cctype>
#include <map>
#include <string>
#include <string_view>

#include "embedded/001_initial.sql.hpp"
#include "embedded/002_timing_modes.sql.hpp"
#include "embedded/003_line_profiles.sql.hpp"
#include "embedded/004_device_limits.sql.hpp"
#include "model/error.hpp"
#include "store/sqlite_error.hpp"
#include "store/table_shapes.hpp"

namespace gtune {

namespace {

// One per version, in order; a released migration never changes.
constexpr std::array<std::string_view, k_schema_version> k_migrations = {
    embedded::k_001_initial_sql,
    embedded::k_002_timing_modes_sql,
    embedded::k_003_line_profiles_sql,
    embedded::k_004_device_limits_sql,
};

/// See the migrations. Both have no effect inside a transaction.
constexpr const char* before_migrations =
    "PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON";

/// The statements that create the tables, by name, without spaces and comments.
std::map<std::string, std::string> table_statements(const SQLite::Database& database) {
  std::map<std::string, std::string> statements;
  SQLite::Statement select(
      database, "SELECT name, type || ' ' || coalesce(sql, '') FROM sqlite_schema WHERE name IN (" +
                    table_names_in_sql() + ")");
  while (select.executeStep()) {
    std::string text = select.getColumn(1).getString();
    for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos;) {
      text.erase(at, text.find('\n', at) - at);
    }
    std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
    statements[select.getColumn(0).getString()] = std::move(text);
  }
  return statements;
}

/// Those of gtune's own schema of that version.
const std::map<std::string, std::string>& own_table_statements(int version) {
  using Statements = std::map<std::string, std::string>;
  static const std::array<Statements, k_schema_version> own = [] {
    std::array<Statements, k_schema_version> all;
    SQLite::Database empty(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    empty.exec(before_migrations);
    for (std::size_t i = 0; i < all.size(); ++i) {
      empty.exec(std::string(k_migrations[i]));
      all[i] = table_statements(empty);
    }
    return all;
  }();
  return own.at(static_cast<std::size_t>(version - 1));
}

/// A table with another definition, or a view in its place, could hold or return anything.
void require_own_tables(const SQLite::Database& database, int version,
                        const std::filesystem::path& path) {
  const auto there = table_statements(database);
  for (const auto& [name, statement] : own_table_statements(version)) {
    const auto found = there.find(name);
    if (found != there.end() && found->second == statement) continue;
    throw UserError(ExitCode::failed, "database " + shown(path) +
                                          " was changed by another program: its table " + name +
                                          " is not gtune's; give another database");
  }
}

}  // namespace

int checked_schema_version(const SQLite::Database& database, const std::filesystem::path& path) {
  // One statement, so that no other process can create the schema between two reads.
  SQLite::Statement state(database,
                          "SELECT application_id, user_version, "
                          "(SELECT count(*) FROM sqlite_schema) "
                          "FROM pragma_application_id, pragma_user_version");
  state.executeStep();
  const int version = state.getColumn(1).getInt();
  if (state.getColumn(0).getInt() != k_application_id) {
    const bool empty = state.getColumn(2).getInt() == 0;
    if (empty && version == 0) return 0;
    throw UserError(ExitCode::failed, "database " + shown(path) +
                                          " belongs to another program: give another database");
  }
  if (version < 1) {
    throw UserError(ExitCode::failed, "database " + shown(path) + " has schema " +
                                          std::to_string(version) +
                                          ", which no gtune writes: give another database");
  }
  if (version > k_schema_version) {
    throw UserError(ExitCode::failed, "database " + shown(path) +
                                          " was written by a newer gtune (schema " +
                                          std::to_string(version) + ", this one knows " +
                                          std::to_string(k_schema_version) +
                                          "): update gtune or use another database");
  }
  require_own_tables(database, version, path);
  return version;
}

bool migrate(SQLite::Database& database, const std::filesystem::path& path,
             const std::function<void()>& after_older) {
  if (checked_schema_version(database, path) == k_schema_version) return false;
  database.exec(before_migrations);
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  // Again, now that no other process can be migrating.
  const int version = checked_schema_version(database, path);
  for (auto i = static_cast<std::size_t>(version); i < k_migrations.size(); ++i) {
    database.exec(std::string(k_migrations[i]));
  }
  database.exec("PRAGMA application_id = " + std::to_string(k_application_id));
  database.exec("PRAGMA user_version = " + std::to_string(k_schema_version));
  const bool was_older = version > 0 && version < k_schema_version;
  if (was_older) after_older();
  transaction.commit();
  return was_older;
}

}  // namespace gtune
