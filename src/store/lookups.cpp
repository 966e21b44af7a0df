#include <string>
#include <utility>

#include "embedded/find_ended_run.sql.hpp"
#include "model/possible_measurement.hpp"
#include "store/database.hpp"
#include "store/device_rows.hpp"
#include "store/json_text.hpp"
#include "store/measurement_rows.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

// Database: what a run reads before it starts.
namespace gtune {

using SQLite::Statement;

namespace {

constexpr const char* k_same_key =
    "kernel_id = ? AND problem_id = ? AND device_id = ? AND toolchain_id = ? AND timing = ?";

void bind_key(Binder& to, const MeasurementKey& key) {
  to << key.kernel << key.problem << key.device << key.toolchain << key.mode;
}

/// Absent if the configuration was later seen wrong.
std::optional<StoredMeasurement> find_right(const SQLite::Database& database, MeasurementId id) {
  Statement select(database, select_measurements("right_measurement") + "WHERE id = ?");
  Binder(select) << id;
  auto rows = read_measurements(select);
  if (rows.empty()) return std::nullopt;
  return std::move(rows.front());
}

}  // namespace

DeviceLimits Database::device_limits(DeviceId device) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection, "SELECT " + limit_columns() + " FROM device WHERE id = ?");
    Binder(select) << device;
    return select.executeStep() ? read_limits(select) : DeviceLimits();
  });
}

std::vector<StoredMeasurement> Database::load_measurements(const MeasurementKey& key,
                                                           Phase phase) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection,
                     select_measurements() + "WHERE id IN (SELECT max(id) FROM measurement WHERE " +
                         k_same_key + " AND phase = ? GROUP BY config_id, label) ORDER BY id");
    Binder to(select);
    bind_key(to, key);
    to << to_string(phase);
    return read_measurements(select);
  });
}

std::vector<Config> Database::load_wrong(const MeasurementKey& key) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection, select_measurements() +
                                        "WHERE id IN (SELECT max(measurement_id) FROM seen_wrong "
                                        "WHERE kernel_id = ? AND problem_id = ? AND device_id = ? "
                                        "AND toolchain_id = ? GROUP BY config_id) ORDER BY id");
    Binder(select) << key.kernel << key.problem << key.device << key.toolchain;
    std::vector<Config> configs;
    for (StoredMeasurement& stored : read_measurements(select)) {
      configs.push_back(std::move(stored.measurement.config));
    }
    return configs;
  });
}

std::vector<StoredMeasurement> Database::load_finalists(RunId run, int most) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection,
                     select_measurements("right_measurement") +
                         "WHERE run_id = ? AND phase = 'final' ORDER BY id <> "
                         "(SELECT winner_id FROM result WHERE run_id = ?), id LIMIT ?");
    Binder(select) << run << run << most;
    std::vector<StoredMeasurement> finalists = read_measurements(select);
    std::erase_if(finalists, [](const auto& stored) { return !stored.measurement.ok(); });
    return finalists;
  });
}

std::optional<RunId> Database::find_ended_run(const MeasurementKey& key,
                                              const std::string& space_signature) const {
  return with_user_errors(m_path, *m_connection, [&]() -> std::optional<RunId> {
    Statement select(*m_connection, std::string(embedded::k_find_ended_run_sql));
    Binder to(select);
    bind_key(to, key);
    to << space_signature << impossible_answer("");
    if (!select.executeStep()) return std::nullopt;
    RunId run{};
    Row(select) >> run;
    return run;
  });
}

std::optional<StoredResult> Database::load_result(RunId run) const {
  return with_user_errors(m_path, *m_connection, [&]() -> std::optional<StoredResult> {
    Statement select(*m_connection,
                     "SELECT finished, winner_id, ties, verified, summary FROM result "
                     "JOIN run ON run.id = run_id WHERE run_id = ? AND winner_id IS NOT NULL");
    Binder(select) << run;
    if (!select.executeStep()) return std::nullopt;

    StoredResult result;
    result.run = run;
    MeasurementId winner{};
    std::string ties, verified, summary;
    Row(select) >> result.finished >> winner >> ties >> verified >> summary;
    result.winner = load_measurement(*m_statements, winner);
    for (const MeasurementId id : ids_from(ties)) {
      auto tie = find_right(*m_connection, id);
      if (tie && tie->measurement.ok()) result.ties.push_back(std::move(*tie));
    }
    result.verified = verified == "passed";
    result.summary = summary_from(summary);
    return result;
  });
}

}  // namespace gtune
