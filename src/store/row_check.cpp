#include "store/row_check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "model/error.hpp"
#include "model/foreign_json.hpp"
#include "model/json.hpp"
#include "model/objective.hpp"
#include "model/one_line.hpp"
#include "model/possible_measurement.hpp"
#include "model/timing_mode.hpp"
#include "store/interruption.hpp"
#include "store/json_rows.hpp"
#include "store/json_text.hpp"
#include "store/measurement_rows.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"
#include "store/table_shapes.hpp"

namespace gtune {

using nlohmann::json;
using SQLite::Statement;

namespace {

void check_device(const json& row) {
  const auto text = row.at("facts").get<std::string>();
  const json facts = parse_foreign_json(text);
  const DeviceFacts device = facts_from(text);
  if (facts.value("name", json()) != row.at("name") ||
      facts.value("uuid", json()) != row.at("uuid") ||
      facts.value("replayed", false) != (row.at("replayed") == 1)) {
    throw std::invalid_argument("a device whose facts are of another one");
  }
  const auto name = row.at("name").get<std::string>();
  if (one_line(name) != name) throw std::invalid_argument("a device's name has control characters");
  if (const auto why = why_impossible(device)) throw std::invalid_argument("a device: " + *why);
}

void check_metric(const json& row) {
  const json& value = row.at("value");
  if (value.is_null()) return;
  const Metric metric{"", value.is_number() ? value.get<double>() : HUGE_VAL, "", ""};
  if (const auto why = why_impossible(metric)) throw std::invalid_argument("a metric: " + *why);
}

void check_line_profile(const json& row) {
  const auto text = row.at("profile").get<std::string>();
  const json& samples = row.at("samples");
  if (text.empty() != samples.is_null()) {
    throw std::invalid_argument("a line profile without its samples");
  }
  if (!text.empty() && line_profile_from(text).samples != samples.get<std::uint64_t>()) {
    throw std::invalid_argument("a line profile of another number of samples");
  }
}

}  // namespace

void check_row(const std::string& table, const json& row) {
  if (table == "device") check_device(row);
  if (table == "run") {
    (void)timing_mode_from_string(row.at("timing").get<std::string>());
    (void)objective_from_string(row.at("objective").get<std::string>());
  }
  if (table == "problem") (void)values_from(row.at("sizes"), {});
  if (table == "config") (void)values_from(row.at("params"), {});
  if (table == "metric") check_metric(row);
  if (table == "line_profile") check_line_profile(row);
  if (table == "result") {
    (void)ids_from(row.at("ties"));
    (void)summary_from(row.at("summary"));
  }
  if (table == "kernel") {
    (void)names_from(row.at("problem_names"));
    (void)names_from(row.at("parameter_names"));
  }
}

MeasurementCheck::MeasurementCheck(const SQLite::Database& database)
    : m_select(database, select_measurements() + "WHERE id = ?") {}

void MeasurementCheck::check(std::int64_t id) {
  m_select.reset();
  Binder(m_select) << id;
  for (const StoredMeasurement& stored : read_measurements(m_select)) {
    if (!stored.why_impossible) continue;
    throw std::invalid_argument("it cannot have been measured: " + *stored.why_impossible);
  }
}

void require_sound_rows(Database& database) {
  SQLite::Database& connection = database.connection();
  with_user_errors(database.path(), connection, [&] {
    MeasurementCheck measurements(connection);
    for (const TableShape& shape : table_shapes(connection)) {
      const std::string key = shape.has_id ? "id" : shape.columns.front().name;
      std::string columns = key;
      for (const TableColumn& column : shape.columns) columns += ", " + column.name;
      const bool is_measurement = shape.name == "measurement";
      Statement select(connection, fmt::format("SELECT {} FROM {} ORDER BY 1",
                                               is_measurement ? "id" : columns, shape.name));
      while (select.executeStep()) {
        const std::int64_t id = select.getColumn(0).getInt64();
        try {
          if (is_measurement) {
            measurements.check(id);
            continue;
          }
          json row = json::object();
          put_columns(row, shape, select, 1);
          check_row(shape.name, row);
        } catch (const SQLite::Exception&) {
          throw;
        } catch (const std::exception& error) {
          throw UserError(
              ExitCode::failed,
              fmt::format("database {} has values in row {} of {} that gtune does not write: {}",
                          shown(database.path()), id, shape.name, one_line(json_fault(error))));
        }
      }
    }
  });
}

}  // namespace gtune
