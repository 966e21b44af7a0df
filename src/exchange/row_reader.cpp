#include "exchange/row_reader.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "exchange/json_lines.hpp"
#include "model/error.hpp"
#include "model/foreign_json.hpp"
#include "model/json.hpp"
#include "model/one_line.hpp"
#include "store/interruption.hpp"
#include "store/json_rows.hpp"
#include "store/json_text.hpp"
#include "store/schema.hpp"
#include "store/statement.hpp"

namespace gtune {

using nlohmann::json;
using SQLite::Statement;

namespace {

constexpr int k_schema_of_timing_modes = 2;
constexpr int k_schema_of_cache_limits = 4;

void add_timing_mode(const std::string& table, json& row) {
  row["timing"] = row.at("l2_flushed") == 0 ? "warm" : "cold";
  row.erase("l2_flushed");
  row.erase("timed_l2_flushed");
  if (table == "run") row["objective"] = "time";
}

/// Gives a row of an older schema the columns of the present one.
void bring_up_to_date(const std::string& table, json& row, int schema) {
  const bool is_timed = table == "run" || table == "measurement";
  if (is_timed && schema < k_schema_of_timing_modes) add_timing_mode(table, row);
  if (table == "device" && schema < k_schema_of_cache_limits) {
    for (const char* limit : {"tensor_tflops", "l2_gbps", "l1_gbps"}) row[limit] = nullptr;
  }
}

/// Gives sizes and parameters the form by which they are looked up.
void normalise(const std::string& table, json& row) {
  if (table == "problem") row["sizes"] = values_text(values_from(row.at("sizes"), {}));
  if (table == "config") row["params"] = values_text(values_from(row.at("params"), {}));
}

constexpr const char* not_an_export =
    "this is not an output of gtune db export; import T4 results with --format t4";

/// Returns the schema of the database that was exported.
int check_form(const std::string& line) {
  json head;
  try {
    head = parse_foreign_json(line);
  } catch (const json::parse_error&) {
    throw std::invalid_argument(not_an_export);
  }
  if (!head.is_object() || !head.contains("gtune_rows")) {
    throw std::invalid_argument(not_an_export);
  }
  const int schema = head.at("schema").get<int>();
  if (head.at("gtune_rows") != k_json_lines_form || schema > k_schema_version) {
    throw std::invalid_argument("written by a newer gtune: update gtune");
  }
  return schema;
}

/// What is wrong with a line, in words for its author.
std::string row_fault(const std::exception& error) {
  const std::string text = error.what();
  const bool is_constraint = dynamic_cast<const SQLite::Exception*>(&error) != nullptr &&
                             text.find("constraint") != std::string::npos;
  return is_constraint ? "no such row of gtune's: " + text : json_fault(error);
}

}  // namespace

RowReader::RowReader(SQLite::Database& database) : m_database(database), m_measurements(database) {
  for (TableShape& shape : table_shapes(database)) {
    const std::string name = shape.name;
    m_tables.emplace(name, Table{std::move(shape), nullptr});
  }
}

void RowReader::read(std::istream& text, const std::string& name) {
  int number = 0;
  try {
    read_lines(text, name, number);
  } catch (const UserError&) {
    throw;
  } catch (const std::exception& error) {
    if (database_interrupted()) throw;
    throw UserError(ExitCode::failed, fmt::format("{}:{}: {}; nothing was imported", name, number,
                                                  one_line(row_fault(error))));
  }
  if (number == 0) throw UserError(ExitCode::failed, name + " is empty; nothing was imported");
}

void RowReader::read_lines(std::istream& text, const std::string& name, int& number) {
  std::string line;
  int schema = k_schema_version;
  while (read_bounded_line(text, line)) {
    if (++number == 1 && line.starts_with("SQLite format 3")) {
      throw UserError(ExitCode::failed,
                      name + " is a database: add its results with gtune db merge");
    }
    if (number == 1) {
      schema = check_form(line);
    } else {
      read_row(parse_foreign_json(line), schema);
    }
  }
}

void RowReader::read_row(json row, int schema) {
  const auto found = m_tables.find(row.at("table").get<std::string>());
  if (found == m_tables.end()) {
    throw std::invalid_argument("there is no table " + row.at("table").dump());
  }
  bring_up_to_date(found->first, row, schema);
  normalise(found->first, row);
  check_row(found->first, row);
  Table& table = found->second;
  Statement& insert = insert_into(table);
  Binder to(insert);
  if (table.shape.has_id) to << row.at("id").get<std::int64_t>();
  for (const TableColumn& column : table.shape.columns) {
    bind_column(to, column, row.at(column.name));
  }
  const std::size_t known = table.shape.columns.size() + (table.shape.has_id ? 2 : 1);
  if (row.size() != known) throw std::invalid_argument("a row with columns that are not known");
  insert.exec();
  if (found->first == "measurement") m_measurements.check(row.at("id").get<std::int64_t>());
}

Statement& RowReader::insert_into(Table& table) {
  if (table.insert) {
    (void)table.insert->tryReset();  // returns the last row's error again; ignored
    return *table.insert;
  }
  std::string columns = table.shape.has_id ? "id" : "";
  std::string marks = table.shape.has_id ? "?" : "";
  for (const TableColumn& column : table.shape.columns) {
    columns += (columns.empty() ? "" : ", ") + column.name;
    marks += marks.empty() ? "?" : ", ?";
  }
  table.insert = std::make_unique<Statement>(
      m_database, fmt::format("INSERT INTO {} ({}) VALUES ({})", table.shape.name, columns, marks));
  return *table.insert;
}

}  // namespace gtune
