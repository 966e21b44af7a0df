#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <istream>
#include <map>
#include <memory>
#include <string>

#include "model/checked_json.hpp"
#include "store/row_check.hpp"
#include "store/table_shapes.hpp"

namespace gtune {

/// Fills a database that has gtune's tables and no rows from a text of JSON lines. After a rollback
/// of these rows it can read another text.
class RowReader {
 public:
  explicit RowReader(SQLite::Database& database);

  /// Throws UserError "NAME:LINE: ..." if the text is not what write_json_lines writes.
  void read(std::istream& text, const std::string& name);

 private:
  struct Table {
    TableShape shape;
    std::unique_ptr<SQLite::Statement> insert;
  };

  void read_lines(std::istream& text, const std::string& name, int& number);
  void read_row(nlohmann::json row, int schema);
  SQLite::Statement& insert_into(Table& table);

  SQLite::Database& m_database;
  MeasurementCheck m_measurements;
  std::map<std::string, Table> m_tables;
};

}  // namespace gtune
