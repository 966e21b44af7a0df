#include <unistd.h>

#include <algorithm>
#include <string>

#include "embedded/insert_run.sql.hpp"
#include "model/possible_measurement.hpp"
#include "store/database.hpp"
#include "store/json_text.hpp"
#include "store/measurement_rows.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

// Database: what a run writes as it goes.
namespace gtune {

using SQLite::Statement;
using SQLite::Transaction;
using SQLite::TransactionBehavior;

namespace {

/// A file that was moved or deleted meanwhile is still written, under its new name or none.
void require_in_place(const SQLite::Database& database, const std::filesystem::path& path) {
  int moved = 0;
  sqlite3_file_control(database.getHandle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  if (moved == 0) return;
  throw UserError(ExitCode::failed, "database " + shown(path) +
                                        " was moved or deleted during the run: its results are "
                                        "where it was moved to");
}

enum class ConfigId : std::int64_t {};

ConfigId upsert_config(SQLite::Database& database, KernelId kernel, const Config& config) {
  Statement upsert(database,
                   "INSERT INTO config (kernel, params) "
                   "VALUES ((SELECT name FROM kernel WHERE id = ?), ?) "
                   "ON CONFLICT DO UPDATE SET kernel = kernel RETURNING id");
  Binder(upsert) << kernel << values_text(config);
  return read_id<ConfigId>(upsert);
}

std::string insert_statement() {
  const std::string& columns = measurement_columns();
  std::string sql =
      "INSERT INTO measurement (run_id, device_id, toolchain_id, kernel_id, problem_id, "
      "config_id, timing, " +
      columns + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?";
  for (auto more = std::count(columns.begin(), columns.end(), ','); more > 0; --more) sql += ", ?";
  return sql + ") RETURNING id";
}

}  // namespace

RunId Database::begin_run(const RunInfo& info) {
  return with_user_errors(m_path, *m_connection, [&] {
    Transaction transaction(*m_connection, TransactionBehavior::IMMEDIATE);
    Statement insert(*m_connection, std::string(embedded::k_insert_run_sql));
    Binder(insert) << info.key.device << info.key.toolchain << info.key.kernel << info.key.problem
                   << info.key.mode << to_string(info.objective) << info.flops << info.bytes
                   << info.strategy << info.budget << std::to_string(info.seed) << info.command_line
                   << info.space_signature << info.whole_space << ::getpid();
    const auto id = read_id<RunId>(insert);
    transaction.commit();
    return id;
  });
}

MeasurementId Database::insert_measurement(RunId run, const MeasurementKey& key,
                                           const Measurement& measurement) {
  if (const auto why = why_impossible(measurement)) {
    throw UserError(ExitCode::failed, "database " + shown(m_path) +
                                          " refuses an impossible measurement: " + *why + " (" +
                                          measurement.config.text() + ")");
  }
  return with_user_errors(m_path, *m_connection, [&] {
    static const std::string sql = insert_statement();
    Transaction transaction(*m_connection, TransactionBehavior::IMMEDIATE);
    const ConfigId config = upsert_config(*m_connection, key.kernel, measurement.config);
    Statement insert(*m_connection, sql);
    Binder to(insert);
    to << run << key.device << key.toolchain << key.kernel << key.problem << config << key.mode;
    bind_measurement(to, measurement);
    const auto id = read_id<MeasurementId>(insert);
    transaction.commit();
    return id;
  });
}

void Database::set_run_device(RunId run, DeviceId device) {
  with_user_errors(m_path, *m_connection, [&] {
    Statement update(*m_connection, "UPDATE run SET device_id = ? WHERE id = ?");
    Binder(update) << device << run;
    update.exec();
  });
}

void Database::finish_run(RunId run, const RunResult& result) {
  with_user_errors(m_path, *m_connection, [&] {
    Transaction transaction(*m_connection, TransactionBehavior::IMMEDIATE);
    Statement finish(*m_connection,
                     "UPDATE run SET finished = strftime('%Y-%m-%dT%H:%M:%fZ') WHERE id = ?");
    Binder(finish) << run;
    finish.exec();
    Statement insert(*m_connection,
                     "INSERT INTO result (run_id, winner_id, ties, verified, summary) "
                     "VALUES (?, ?, ?, ?, ?)");
    Binder(insert) << run << result.winner << ids_text(result.ties)
                   << (result.verified ? "passed" : "not recorded") << summary_text(result.summary);
    insert.exec();
    transaction.commit();
    require_in_place(*m_connection, m_path);
  });
}

}  // namespace gtune
