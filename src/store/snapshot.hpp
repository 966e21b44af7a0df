#pragma once

namespace SQLite {
class Database;
}

namespace gtune {

/// While it lives, what its connection reads is of one moment, whatever others write; SQLite then
/// also asks once for its locks, not for every statement. One may live within another.
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
