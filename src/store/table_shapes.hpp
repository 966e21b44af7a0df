#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <vector>

namespace gtune {

struct TableColumn {
  std::string name;
  std::string type;       // INTEGER, REAL, TEXT, BLOB
  std::string refers_to;  // the table whose row id it holds; else empty
};

/// A table as the schema defines it.
struct TableShape {
  std::string name;
  bool has_id = false;
  std::vector<TableColumn> columns;  // without `id`
};

/// 'toolchain', 'device', ...
[[nodiscard]] std::string table_names_in_sql();

/// Every table, each after those it refers to.
[[nodiscard]] std::vector<TableShape> table_shapes(const SQLite::Database& database);

}  // namespace gtune
