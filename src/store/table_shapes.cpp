#include "store/table_shapes.hpp"

#include "store/statement.hpp"

namespace gtune {

namespace {

constexpr const char* k_tables[] = {"toolchain", "device",      "kernel",      "problem",
                                    "config",    "run",         "measurement", "metric",
                                    "result",    "line_profile"};

}  // namespace

std::string table_names_in_sql() {
  std::string list;
  for (const char* name : k_tables) {
    list += (list.empty() ? "'" : ", '") + std::string(name) + "'";
  }
  return list;
}

std::vector<TableShape> table_shapes(const SQLite::Database& database) {
  std::vector<TableShape> shapes;
  for (const char* name : k_tables) {
    TableShape shape;
    shape.name = name;
    SQLite::Statement select(
        database,
        "SELECT info.name, info.type, coalesce(key.\"table\", '') FROM pragma_table_info(?1) AS "
        "info LEFT JOIN pragma_foreign_key_list(?1) AS key ON key.\"from\" = info.name "
        "ORDER BY info.cid");
    Binder(select) << name;
    while (select.executeStep()) {
      TableColumn column;
      Row(select) >> column.name >> column.type >> column.refers_to;
      if (column.name == "id") {
        shape.has_id = true;
      } else {
        shape.columns.push_back(std::move(column));
      }
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

}  // namespace gtune
