#include "store/snapshot.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

namespace gtune {

Snapshot::Snapshot(SQLite::Database& database) : m_database(database) {
  database.exec("SAVEPOINT snapshot");
}

Snapshot::~Snapshot() { (void)m_database.tryExec("RELEASE snapshot"); }

}  // namespace gtune
