#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <memory>
#include <string>
#include <unordered_map>

namespace gtune {

/// A connection's prepared statements, for repeated reads of a query: preparing a join of views
/// takes ten times as long as running it for one problem.
class StatementCache {
 public:
  explicit StatementCache(const SQLite::Database& database) : m_database(database) {}

  /// A statement in use, with no values bound; the destructor returns it to the cache.
  class Use {
   public:
    Use(StatementCache& cache, const std::string& sql);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    [[nodiscard]] SQLite::Statement& operator*() const { return *m_statement; }

   private:
    StatementCache& m_cache;
    std::unique_ptr<SQLite::Statement> m_statement;
  };

 private:
  const SQLite::Database& m_database;
  std::unordered_map<std::string, std::unique_ptr<SQLite::Statement>> m_unused;
};

}  // namespace gtune
