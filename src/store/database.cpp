#include "store/database.hpp"

#include "store/connection.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement_cache.hpp"

namespace gtune {

namespace {

std::filesystem::path checked(const std::filesystem::path& path) {
  // SQLite opens an empty name as a temporary database, which would be lost.
  if (path.empty()) throw UserError(ExitCode::failed, "the database has no name: give --db FILE");
  return std::filesystem::absolute(path);
}

}  // namespace

Database::Database(const std::filesystem::path& path, OpenMode mode,
                   std::chrono::milliseconds busy_timeout)
    : m_path(checked(path)),
      m_connection(open_connection(m_path, mode, busy_timeout)),
      m_statements(std::make_unique<StatementCache>(*m_connection)) {}

Database::~Database() = default;
Database::Database(Database&&) noexcept = default;

Database& Database::operator=(Database&& other) noexcept {
  m_statements.reset();  // before the connection they belong to
  m_path = std::move(other.m_path);
  m_connection = std::move(other.m_connection);
  m_statements = std::move(other.m_statements);
  return *this;
}

std::optional<Database> open_if_stored(const std::filesystem::path& path) {
  try {
    return Database(path, OpenMode::read_only);
  } catch (const UserError& error) {
    if (error.code() != ExitCode::nothing_stored) throw;
    return std::nullopt;
  }
}

void Database::fold_journal() {
  with_user_errors(m_path, *m_connection,
                   [&] { m_connection->exec("PRAGMA journal_mode = DELETE"); });
}

}  // namespace gtune
