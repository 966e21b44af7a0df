#pragma once

namespace SQLite {
class Database;
}

namespace gtune {

/// While it lives, its connection reads one state of the database, whatever others write. SQLite
/// then also takes its locks once, not for every statement. Snapshots may be nested.
class Snapshot {
 public:
  explicit Snapshot(SQLite::Database& database);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  SQLite::Database& m_database;
};

}  // namespace gtune
