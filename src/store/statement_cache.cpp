#include "store/statement_cache.hpp"

#include <utility>

namespace gtune {

StatementCache::Use::Use(StatementCache& cache, const std::string& sql) : m_cache(cache) {
  const auto found = cache.m_unused.extract(sql);
  m_statement = found ? std::move(found.mapped())
                      : std::make_unique<SQLite::Statement>(cache.m_database, sql);
  m_statement->clearBindings();
}

/// Without the reset, the connection would keep reading the same old state of the database.
StatementCache::Use::~Use() {
  (void)m_statement->tryReset();
  m_cache.m_unused[m_statement->getQuery()] = std::move(m_statement);
}

}  // namespace gtune
