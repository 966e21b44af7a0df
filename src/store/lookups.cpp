#include <string>
#include <utility>

#include "model/possible_measurement.hpp"
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

/// Of a row of `measurement`: no run saw its configuration wrong under the same toolchain.
constexpr const char* k_never_wrong =
    "NOT EXISTS (SELECT 1 FROM measurement AS wrong "
    "WHERE wrong.kernel_id = measurement.kernel_id AND wrong.problem_id = measurement.problem_id "
    "AND wrong.device_id = measurement.device_id "
    "AND wrong.toolchain_id = measurement.toolchain_id "
    "AND wrong.config_id = measurement.config_id AND wrong.status = 'wrong_result' "
    "AND wrong.phase <> 'baseline')";

/// Of a row of `ended_run`: it lacks no configuration for a worker that said what cannot be.
constexpr const char* k_all_answers_possible =
    "NOT EXISTS (SELECT 1 FROM measurement AS lie WHERE lie.kernel_id = ended_run.kernel_id "
    "AND lie.problem_id = ended_run.problem_id AND lie.device_id = ended_run.device_id "
    "AND lie.toolchain_id = ended_run.toolchain_id AND lie.l2_flushed = ended_run.l2_flushed "
    "AND lie.phase = 'search' AND lie.run_id = ended_run.id AND lie.status = 'crashed' "
    "AND instr(lie.reason, ?) = 1)";

void bind_key(Binder& to, const MeasurementKey& key) {
  to << key.kernel << key.problem << key.device << key.toolchain << key.l2_flushed;
}

/// Absent where the configuration was seen wrong since.
std::optional<StoredMeasurement> find_right(const SQLite::Database& database, MeasurementId id) {
  Statement select(database, select_measurements() + "WHERE id = ? AND " + k_never_wrong);
  Binder(select) << id;
  auto rows = read_measurements(select);
  if (rows.empty()) return std::nullopt;
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
                                        "WHERE id IN (SELECT max(id) FROM measurement "
                                        "WHERE kernel_id = ? AND problem_id = ? "
                                        "AND device_id = ? AND toolchain_id = ? "
                                        "AND status = 'wrong_result' AND phase <> 'baseline' "
                                        "GROUP BY config_id) ORDER BY id");
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
                     select_measurements() +
                         "WHERE run_id = ? AND phase = 'final' AND status = 'ok' AND " +
                         k_never_wrong +
                         " ORDER BY id <> "
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
    Statement select(*m_connection, std::string("SELECT id FROM ended_run WHERE ") + k_same_key +
                                        " AND space_signature = ? AND " + k_all_answers_possible +
                                        " ORDER BY median_ms, id DESC LIMIT 1");
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
