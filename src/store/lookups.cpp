#include <string>
#include <utility>

#include "store/database.hpp"
#include "store/json_text.hpp"
#include "store/measurement_rows.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

// Database: what a run reads before it starts.
namespace gtune {

using SQLite::Statement;

namespace {

constexpr const char* k_same_key =
    "kernel_id = ? AND problem_id = ? AND device_id = ? AND toolchain_id = ? AND l2_flushed = ?";

void bind_key(Binder& to, const MeasurementKey& key) {
  to << key.kernel << key.problem << key.device << key.toolchain << key.l2_flushed;
}

StoredMeasurement load(const SQLite::Database& database, MeasurementId id) {
  Statement select(database, select_measurements() + "WHERE id = ?");
  Binder(select) << id;
  auto rows = read_measurements(select);
  if (rows.empty()) throw std::invalid_argument("a result without its measurement");
  return std::move(rows.front());
}

}  // namespace

DeviceLimits Database::device_limits(DeviceId device) const {
  return with_user_errors(m_path, *m_connection, [&] {
    DeviceLimits limits;
    Statement select(*m_connection, "SELECT fma_tflops, dram_gbps FROM device WHERE id = ?");
    Binder(select) << device;
    if (select.executeStep()) Row(select) >> limits.fma_tflops >> limits.dram_gbps;
    return limits;
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
                                        "WHERE id IN (SELECT max(id) FROM measurement WHERE " +
                                        k_same_key +
                                        " AND status = 'wrong_result' AND phase <> 'baseline' "
                                        "GROUP BY config_id) ORDER BY id");
    Binder to(select);
    bind_key(to, key);
    std::vector<Config> configs;
    for (StoredMeasurement& stored : read_measurements(select)) {
      configs.push_back(std::move(stored.measurement.config));
    }
    return configs;
  });
}

std::vector<Winner> Database::load_winners(const MeasurementKey& key) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection,
                     "SELECT problem.sizes, kernel.problem_names, config.params, "
                     "kernel.parameter_names FROM winner "
                     "CROSS JOIN measurement AS m ON m.id = winner.measurement_id "
                     "JOIN problem ON problem.id = winner.problem_id "
                     "JOIN config ON config.id = m.config_id "
                     "JOIN kernel ON kernel.id = winner.kernel_id "
                     "WHERE winner.kernel_id = ? AND winner.device_id = ? "
                     "AND winner.problem_id <> ? ORDER BY winner.problem_id");
    Binder(select) << key.kernel << key.device << key.problem;
    std::vector<Winner> winners;
    while (select.executeStep()) {
      std::string sizes, size_names, params, param_names;
      Row(select) >> sizes >> size_names >> params >> param_names;
      winners.push_back({values_from(sizes, names_from(size_names)),
                         values_from(params, names_from(param_names))});
    }
    return winners;
  });
}

std::vector<StoredMeasurement> Database::load_finalists(RunId run) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection,
                     select_measurements() +
                         "WHERE run_id = ? AND phase = 'final' AND status = 'ok' "
                         "AND config_id NOT IN (SELECT config_id FROM measurement "
                         "WHERE run_id = ? AND status = 'wrong_result') ORDER BY median_ms");
    Binder(select) << run << run;
    return read_measurements(select);
  });
}

std::optional<RunId> Database::find_ended_run(const MeasurementKey& key,
                                              const std::string& space_signature) const {
  return with_user_errors(m_path, *m_connection, [&]() -> std::optional<RunId> {
    Statement select(*m_connection, std::string("SELECT id FROM ended_run WHERE ") + k_same_key +
                                        " AND space_signature = ? "
                                        "ORDER BY median_ms, id DESC LIMIT 1");
    Binder to(select);
    bind_key(to, key);
    to << space_signature;
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
    result.winner = load(*m_connection, winner);
    for (const MeasurementId id : ids_from(ties)) result.ties.push_back(load(*m_connection, id));
    result.verified = verified == "passed";
    result.summary = summary_from(summary);
    return result;
  });
}

}  // namespace gtune
