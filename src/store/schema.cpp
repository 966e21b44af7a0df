#include "store/schema.hpp"

#include <array>
#include <string>
#include <string_view>

#include "embedded/001_initial.sql.hpp"
#include "model/error.hpp"
#include "store/sqlite_error.hpp"

namespace gtune {

namespace {

// One per version, in order; a released one never changes.
constexpr std::array<std::string_view, k_schema_version> k_migrations = {
    embedded::k_001_initial_sql,
};

}  // namespace

int checked_schema_version(const SQLite::Database& database, const std::filesystem::path& path) {
  // One statement, so that no other process can make the schema between two looks at it.
  SQLite::Statement state(database,
                          "SELECT application_id, user_version, "
                          "(SELECT count(*) FROM sqlite_schema) "
                          "FROM pragma_application_id, pragma_user_version");
  state.executeStep();
  const int version = state.getColumn(1).getInt();
  if (state.getColumn(0).getInt() != k_application_id) {
    const bool empty = state.getColumn(2).getInt() == 0;
    if (empty && version == 0) return 0;
    throw UserError(ExitCode::failed,
                    "database " + shown(path) + " belongs to another program: give another --db");
  }
  if (version > k_schema_version) {
    throw UserError(ExitCode::failed,
                    "database " + shown(path) + " was written by a newer gtune (schema " +
                        std::to_string(version) + ", this one knows " +
                        std::to_string(k_schema_version) + "): update gtune or use another --db");
  }
  return version;
}

void migrate(SQLite::Database& database, const std::filesystem::path& path) {
  if (checked_schema_version(database, path) == k_schema_version) return;
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  // Again, now that no other process can be migrating.
  const int version = checked_schema_version(database, path);
  for (auto i = static_cast<std::size_t>(version); i < k_migrations.size(); ++i) {
    database.exec(std::string(k_migrations[i]));
  }
  database.exec("PRAGMA application_id = " + std::to_string(k_application_id));
  database.exec("PRAGMA user_version = " + std::to_string(k_schema_version));
  transaction.commit();
}

}  // namespace gtune
