#include "store/json_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "model/error.hpp"
#include "model/json.hpp"
#include "model/one_line.hpp"
#include "store/interruption.hpp"
#include "store/json_text.hpp"
#include "store/merge.hpp"
#include "store/schema.hpp"
#include "store/scratch_file.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"
#include "store/table_shapes.hpp"

namespace gtune {

using nlohmann::json;
using SQLite::Statement;

namespace {

constexpr int k_form = 1;

bool is_utf8(const std::string& text) {
  try {
    (void)json(text).dump();
    return true;
  } catch (const json::type_error&) {
    return false;
  }
}

json bytes_json(const std::string& text) {
  json bytes = json::array();
  for (const char c : text) bytes.push_back(static_cast<unsigned char>(c));
  return {{"bytes", bytes}};
}

/// JSON has no infinity.
json real_json(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

json column_json(const SQLite::Column& column) {
  if (column.isNull()) return nullptr;
  if (column.isInteger()) return column.getInt64();
  if (column.isFloat()) return real_json(column.getDouble());
  if (column.isText()) {
    const std::string text = column.getString();
    return is_utf8(text) ? json(text) : bytes_json(text);
  }
  std::vector<double> samples(static_cast<std::size_t>(column.getBytes()) / sizeof(double));
  if (!samples.empty()) {
    std::memcpy(samples.data(), column.getBlob(), samples.size() * sizeof(double));
  }
  json list = json::array();
  for (const double sample : samples) {
    list.push_back(std::isnan(sample) ? json("nan") : real_json(sample));
  }
  return list;
}

double real_of(const json& value) {
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  return value.get<double>();
}

std::string text_value(const json& value) {
  if (!value.is_object()) return value.get<std::string>();
  std::string text;
  for (const json& byte : value.at("bytes")) text += static_cast<char>(byte.get<unsigned char>());
  return text;
}

void bind_column(Binder& to, const TableColumn& column, const json& value) {
  if (value.is_null()) {
    to.null();
  } else if (column.type == "INTEGER") {
    if (!value.is_number_integer()) throw std::invalid_argument(column.name + " is no integer");
    to << value.get<std::int64_t>();
  } else if (column.type == "REAL") {
    to << real_of(value);
  } else if (column.type == "TEXT") {
    to << text_value(value);
  } else {
    std::vector<double> samples;
    for (const json& sample : value) samples.push_back(real_of(sample));
    const void* data = samples.empty() ? static_cast<const void*>("") : samples.data();
    to.blob(data, samples.size() * sizeof(double));
  }
}

void check_device(const json& row) {
  const json facts = json::parse(row.at("facts").get<std::string>());
  (void)facts_from(row.at("facts"));
  if (facts.value("name", json()) != row.at("name") ||
      facts.value("uuid", json()) != row.at("uuid") ||
      facts.value("replayed", false) != (row.at("replayed") == 1)) {
    throw std::invalid_argument("a device whose facts are of another one");
  }
  const auto name = row.at("name").get<std::string>();
  if (one_line(name) != name) throw std::invalid_argument("a device's name has control characters");
}

void check_time(const json& row) {
  if (row.at("median_ms").is_null()) return;
  const double ms = real_of(row.at("median_ms"));
  if (!std::isfinite(ms) || ms <= 0) throw std::invalid_argument("median_ms is no time above 0");
}

/// What the schema does not check and later readers lean on; gives sizes and parameters the form in
/// which they are looked up.
void check_and_normalise(const std::string& table, json& row) {
  if (table == "device") check_device(row);
  if (table == "problem") row["sizes"] = values_text(values_from(row.at("sizes"), {}));
  if (table == "config") row["params"] = values_text(values_from(row.at("params"), {}));
  if (table == "result") {
    (void)ids_from(row.at("ties"));
    (void)summary_from(row.at("summary"));
  }
  if (table == "kernel") {
    (void)names_from(row.at("problem_names"));
    (void)names_from(row.at("parameter_names"));
  }
  if (table == "measurement") {
    (void)phase_from_string(row.at("phase").get<std::string>());
    (void)status_from_string(row.at("status").get<std::string>());
    check_time(row);
  }
}

/// Fills an empty database, a line at a time.
class Reader {
 public:
  explicit Reader(SQLite::Database& database) : m_database(database) {
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
    check_and_normalise(found->first, row);
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
  while (std::getline(text, line)) {
    ++number;
    if (number == 1 && line.starts_with("SQLite format 3")) {
      throw UserError(ExitCode::failed, name + " is a database, no text: see gtune db merge");
    }
    try {
      json row = json::parse(line);
      if (number == 1) {
        check_form(row);
      } else {
        reader.read(std::move(row));
      }
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
        for (std::size_t i = 0; i < shape.columns.size(); ++i) {
          row[shape.columns[i].name] = column_json(select.getColumn(static_cast<int>(i) + 1));
        }
        line(row.dump());
      }
    }
  });
}

void read_json_lines(std::istream& text, const std::string& name,
                     const std::filesystem::path& target) {
  require_usable(target);
  const ScratchFile scratch(target, "import");
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
