#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/checked_json.hpp"
#include "store/database.hpp"

namespace gtune::fuzz {

/// Opens a database without checks, as a stranger might, and without syncing it to the disk.
[[nodiscard]] SQLite::Database open_unchecked(const std::filesystem::path& file);

/// Writes into single cells. Has no effect if SQLite refuses the value or the input is not a
/// change.
class CellWriter {
 public:
  explicit CellWriter(SQLite::Database& database) : m_database(database) {}

  /// Sets TABLE.COLUMN in row `row` to `value`. Returns true if something may have changed.
  bool set(const std::string& column, const nlohmann::json& row, const nlohmann::json& value);

 private:
  SQLite::Statement& update_of(const std::string& column);

  SQLite::Database& m_database;
  std::map<std::string, std::unique_ptr<SQLite::Statement>> m_updates;
};

/// A database whose cells change and change back. gtune reads it through a connection that stays
/// open, because opening one and preparing its statements takes far longer than reading.
class ChangedCells {
 public:
  /// Makes `file` a copy of `original`, which must not change.
  ChangedCells(const std::filesystem::path& file, const std::filesystem::path& original);

  void set(const std::string& column, const nlohmann::json& row, const nlohmann::json& value);
  [[nodiscard]] Database& reader() { return m_reader; }
  /// Restores all cells from the original. Throws Fault if gtune's connection prevents it.
  void restore();

 private:
  SQLite::Database m_connection;
  Database m_reader;
  CellWriter m_writer{m_connection};
  std::vector<std::string> m_changed;  // TABLE.COLUMN
};

}  // namespace gtune::fuzz
