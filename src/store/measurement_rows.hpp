#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <vector>

#include "store/records.hpp"
#include "store/statement.hpp"
#include "store/statement_cache.hpp"

// How a Measurement lies in its row.
namespace gtune {

/// The columns of the table that bind_measurement fills, in its order; without the
/// configuration and what else identifies the row.
[[nodiscard]] const std::string& measurement_columns();

void bind_measurement(Binder& to, const Measurement& measurement);

/// "SELECT ... FROM measurement " with the columns that read_measurements takes; a WHERE clause may
/// follow. `view`: the table, or a view with all of its columns.
[[nodiscard]] std::string select_measurements(const std::string& view = "measurement");

/// Runs a statement that starts with select_measurements(). What cannot have been measured comes
/// back as a worker's impossible answer would have been stored: failed, without a timing.
[[nodiscard]] std::vector<StoredMeasurement> read_measurements(SQLite::Statement& statement);

/// Throws std::invalid_argument where there is none, or it cannot have been measured.
[[nodiscard]] StoredMeasurement load_measurement(StatementCache& statements, MeasurementId id);

}  // namespace gtune
