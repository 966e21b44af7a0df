#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <vector>

#include "store/records.hpp"
#include "store/statement.hpp"
#include "store/statement_cache.hpp"

// How a Measurement is stored in its row.
namespace gtune {

/// The columns that bind_measurement fills, in its order; without those that identify the row, such
/// as the configuration.
[[nodiscard]] const std::string& measurement_columns();

void bind_measurement(Binder& to, const Measurement& measurement);

/// "SELECT ... FROM measurement " with the columns that read_measurements takes; a WHERE clause may
/// follow. `view`: the table, or a view with all its columns.
[[nodiscard]] std::string select_measurements(const std::string& view = "measurement");

/// Runs a statement that starts with select_measurements(). An impossible measurement comes back
/// like a worker's impossible reply: as crashed, without a timing.
[[nodiscard]] std::vector<StoredMeasurement> read_measurements(SQLite::Statement& statement);

/// Throws std::invalid_argument if there is none or the measurement is impossible.
[[nodiscard]] StoredMeasurement load_measurement(StatementCache& statements, MeasurementId id);

}  // namespace gtune
