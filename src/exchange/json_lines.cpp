#include "exchange/json_lines.hpp"

#include <fmt/format.h>

#include <map>

#include "model/checked_json.hpp"
#include "model/error.hpp"
#include "model/foreign_json.hpp"
#include "model/json.hpp"
#include "model/one_line.hpp"
#include "store/interruption.hpp"
#include "store/json_rows.hpp"
#include "store/json_text.hpp"
#include "store/merge.hpp"
#include "store/row_check.hpp"
#include "store/schema.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"
#include "store/table_shapes.hpp"
#include "system/draft.hpp"

namespace gtune {

using nlohmann::json;
using SQLite::Statement;

namespace {

constexpr int k_form = 1;

/// Gives sizes and parameters the form in which they are looked up.
void normalise(const std::string& table, json& row) {
  if (table == "problem") row["sizes"] = values_text(values_from(row.at("sizes"), {}));
  if (table == "config") row["params"] = values_text(values_from(row.at("params"), {}));
}

/// Fills an empty database, a line at a time.
class Reader {
 public:
  explicit Reader(SQLite::Database& database) : m_database(database), m_measurements(database) {
    for (TableShape& shape : table_shapes(database)) {
      const std::string name = shape.name;
      m_tables.emplace(name, Table{std::move(shape), nullptr});
    }
  }

  void read(json row) {
    const auto found = m_tables.find(row.at("table").get<std::string>());
    if (found == m_tables.end()) {
      throw std::invalid_argument("there is no table " + row.at("table").dump());
    }
    normalise(found->first, row);
    check_row(found->first, row);
    Table& table = found->second;
    if (!table.insert) table.insert = prepare(table.shape);
    Binder to(*table.insert);
    if (table.shape.has_id) to << row.at("id").get<std::int64_t>();
    for (const TableColumn& column : table.shape.columns) {
      bind_column(to, column, row.at(column.name));
    }
    const std::size_t known = table.shape.columns.size() + (table.shape.has_id ? 2 : 1);
    if (row.size() != known) throw std::invalid_argument("a row with columns that are not known");
    table.insert->exec();
    table.insert->reset();
    if (found->first == "measurement") m_measurements.check(row.at("id").get<std::int64_t>());
  }

 private:
  struct Table {
    TableShape shape;
    std::unique_ptr<Statement> insert;
  };

  std::unique_ptr<Statement> prepare(const TableShape& shape) {
    std::string columns = shape.has_id ? "id" : "";
    std::string marks = shape.has_id ? "?" : "";
    for (const TableColumn& column : shape.columns) {
      columns += (columns.empty() ? "" : ", ") + column.name;
      marks += marks.empty() ? "?" : ", ?";
    }
    return std::make_unique<Statement>(
        m_database, fmt::format("INSERT INTO {} ({}) VALUES ({})", shape.name, columns, marks));
  }

  SQLite::Database& m_database;
  MeasurementCheck m_measurements;
  std::map<std::string, Table> m_tables;
};

void check_form(const json& head) {
  if (!head.is_object() || !head.contains("gtune_rows")) {
    throw std::invalid_argument("this is not what gtune db export writes");
  }
  if (head.at("gtune_rows") != k_form || head.at("schema").get<int>() > k_schema_version) {
    throw std::invalid_argument("written by a newer gtune: update gtune");
  }
}

void read_lines(std::istream& text, const std::string& name, SQLite::Database& scratch) {
  Reader reader(scratch);
  std::string line;
  int number = 0;
  for (;;) {
    try {
      if (!read_bounded_line(text, line)) break;
      if (++number == 1 && line.starts_with("SQLite format 3")) {
        throw UserError(ExitCode::failed, name + " is a database, no text: see gtune db merge");
      }
      json row = parse_foreign_json(line);
      if (number == 1) {
        check_form(row);
      } else {
        reader.read(std::move(row));
      }
    } catch (const UserError&) {
      throw;
    } catch (const std::exception& error) {
      if (database_interrupted()) throw;
      const std::string why =
          dynamic_cast<const SQLite::Exception*>(&error) == nullptr ||
                  std::string(error.what()).find("constraint") == std::string::npos
              ? json_fault(error)
              : std::string("no such row of gtune's: ") + error.what();
      throw UserError(ExitCode::failed,
                      fmt::format("{}:{}: {}; nothing was imported", name, number, one_line(why)));
    }
  }
  if (number == 0) throw UserError(ExitCode::failed, name + " is empty; nothing was imported");
}

/// One that is not there yet, or empty, is made.
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
    line(json{{"gtune_rows", k_form}, {"schema", k_schema_version}}.dump());
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
    read_lines(text, name, rows.connection());
    transaction.commit();
  });
  Database into(target, OpenMode::create);
  merge_from(into, rows);
}

}  // namespace gtune
