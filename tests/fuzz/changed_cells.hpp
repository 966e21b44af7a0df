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

/// Opens a database as a stranger would, with no checks and no haste to the disk.
[[nodiscard]] SQLite::Database open_unchecked(const std::filesystem::path& file);

/// Writes into single cells. SQLite may refuse a value, and an input may be no change at all: then
/// nothing happens.
class CellWriter {
 public:
  explicit CellWriter(SQLite::Database& database) : m_database(database) {}

  /// TABLE.COLUMN, the number of the row, the value. True where something may have changed.
  bool set(const std::string& column, const nlohmann::json& row, const nlohmann::json& value);

 private:
  SQLite::Statement& update_of(const std::string& column);

  SQLite::Database& m_database;
  std::map<std::string, std::unique_ptr<SQLite::Statement>> m_updates;
};

/// A database in which cells change and change back, read through a connection of gtune's that
/// stays open: to open one and to prepare its statements takes far longer than to read it.
class ChangedCells {
 public:
  /// `file` is made as a copy of `original`, which must not change.
  ChangedCells(const std::filesystem::path& file, const std::filesystem::path& original);

  void set(const std::string& column, const nlohmann::json& row, const nlohmann::json& value);
  [[nodiscard]] Database& reader() { return m_reader; }
  /// All cells are as in the original again. Throws Fault where gtune's connection prevents it.
  void restore();

 private:
  SQLite::Database m_connection;
  Database m_reader;
  CellWriter m_writer{m_connection};
  std::vector<std::string> m_changed;  // TABLE.COLUMN
};

}  // namespace gtune::fuzz
