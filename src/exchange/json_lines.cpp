#include "exchange/json_lines.hpp"

#include <fmt/format.h>

#include "exchange/row_reader.hpp"
#include "model/error.hpp"
#include "store/json_rows.hpp"
#include "store/merge.hpp"
#include "store/schema.hpp"
#include "store/sqlite_error.hpp"
#include "store/table_shapes.hpp"
#include "system/draft.hpp"

namespace gtune {

using nlohmann::json;
using SQLite::Statement;

namespace {

/// Throws UserError if the target cannot be used. A missing or empty one can: it will be created.
void require_usable(const std::filesystem::path& target) {
  if (!std::filesystem::exists(target)) return;
  try {
    (void)Database(target, OpenMode::read_only);
  } catch (const UserError& error) {
    if (error.code() != ExitCode::nothing_stored) throw;
  }
}

}  // namespace

void write_json_lines(Database& database, const std::function<void(std::string_view)>& line) {
  SQLite::Database& connection = database.connection();
  with_user_errors(database.path(), connection, [&] {
    SQLite::Transaction one_moment(connection);
    line(json{{"gtune_rows", k_json_lines_form}, {"schema", k_schema_version}}.dump());
    for (const TableShape& shape : table_shapes(connection)) {
      std::string columns = shape.has_id ? "id" : "rowid";
      if (shape.name == "metric") columns = "0";
      for (const TableColumn& column : shape.columns) columns += ", " + column.name;
      Statement select(connection, fmt::format("SELECT {} FROM {} ORDER BY {}", columns, shape.name,
                                               shape.has_id ? "1" : "2, 3"));
      while (select.executeStep()) {
        json row = {{"table", shape.name}};
        if (shape.has_id) row["id"] = select.getColumn(0).getInt64();
        put_columns(row, shape, select, 1);
        line(row.dump());
      }
    }
  });
}

void read_json_lines(std::istream& text, const std::string& name,
                     const std::filesystem::path& target) {
  require_usable(target);
  const Draft scratch(std::filesystem::absolute(target));
  Database rows(scratch.path(), OpenMode::create);
  with_user_errors(scratch.path(), rows.connection(), [&] {
    SQLite::Transaction transaction(rows.connection());
    RowReader(rows.connection()).read(text, name);
    transaction.commit();
  });
  Database into(target, OpenMode::create);
  merge_from(into, rows);
}

}  // namespace gtune
