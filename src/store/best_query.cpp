#include <map>
#include <string>
#include <tuple>

#include "store/database.hpp"
#include "store/json_text.hpp"
#include "store/measurement_rows.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"
#include "store/statement_cache.hpp"

// Database: what `gtune query` and the exports read.
namespace gtune {

using SQLite::Statement;

namespace {

/// A view of this connection alone, in place of the database's own: the fastest winner of the ended
/// runs with a warm L2 cache, else the fastest so far where no run has ended at all.
constexpr const char* k_warm_winner =
    "CREATE TEMP VIEW winner AS "
    "SELECT kernel_id, problem_id, device_id, id AS ended_run_id, verified, "
    "winner_id AS measurement_id FROM ("
    "SELECT ended.*, row_number() OVER ("
    "PARTITION BY ended.kernel_id, ended.problem_id, ended.device_id "
    "ORDER BY ended.whole_space DESC, ended.toolchain_id IS device.toolchain_id DESC, "
    "ended.toolchain_id DESC, ended.median_ms, ended.id DESC) AS place "
    "FROM main.ended_run AS ended JOIN main.device AS device ON device.id = ended.device_id "
    "WHERE NOT ended.l2_flushed) WHERE place = 1 "
    "UNION ALL SELECT going.* FROM main.winner AS going "
    "JOIN main.measurement AS m ON m.id = going.measurement_id "
    "WHERE going.ended_run_id IS NULL AND NOT m.l2_flushed";

/// From the view `winner` on. Numbers of rows can be pushed down into the view, names and sizes
/// cannot; an absent device is a NULL parameter.
constexpr const char* k_from_winner =
    " FROM winner JOIN kernel ON kernel.id = winner.kernel_id "
    "JOIN problem ON problem.id = winner.problem_id "
    "JOIN device ON device.id = winner.device_id "
    "CROSS JOIN measurement AS m ON m.id = winner.measurement_id "
    "JOIN speed ON speed.measurement_id = m.id "
    "JOIN toolchain ON toolchain.id = m.toolchain_id "
    "WHERE coalesce(device.name = ?4 COLLATE NOCASE, 1) ";

std::string of_problem(const BestFilter& filter, const std::string& column) {
  return " AND " + (filter.problem ? column + " = ?3 " : "?3 IS NULL ");
}

constexpr auto k_no_kernel = KernelId{-1};

/// The row of exactly this source and spec; k_no_kernel where there is none.
KernelId find_kernel_row(StatementCache& statements, const KernelIdentity& kernel) {
  const StatementCache::Use use(
      statements,
      "SELECT id FROM kernel WHERE name = ? AND source_hash = ? AND spec_hash = ? "
      "AND problem_names = ? AND parameter_names = ?");
  Statement& select = *use;
  Binder(select) << kernel.name << kernel.source_hash << kernel.spec_hash
                 << names_text(kernel.problem_names) << names_text(kernel.parameter_names);
  KernelId id = k_no_kernel;
  if (select.executeStep()) Row(select) >> id;
  return id;
}

void bind_filter(StatementCache& statements, SQLite::Statement& to, const KernelIdentity& kernel,
                 const BestFilter& filter) {
  std::optional<ProblemId> problem;
  if (filter.problem) {
    const StatementCache::Use use(statements,
                                  "SELECT id FROM problem WHERE kernel = ? AND sizes = ?");
    Statement& select = *use;
    Binder(select) << kernel.name << values_text(*filter.problem);
    problem = ProblemId{-1};  // there is none
    if (select.executeStep()) Row(select) >> *problem;
  }
  Binder(to) << find_kernel_row(statements, kernel) << kernel.name << problem << filter.device_name;
}

BestRow read_best(const SQLite::Database& database, const SQLite::Statement& statement) {
  BestRow best;
  Row row(statement);
  std::string facts, sizes, names, verified;
  MeasurementId id{};
  row >> id >> facts >> sizes >> names >> verified >> best.complete >> best.l2_flushed >>
      best.gflops >> best.gbps;
  Toolchain& toolchain = best.toolchain;
  row >> toolchain.driver >> toolchain.runtime >> toolchain.nvrtc >> toolchain.cupti >>
      toolchain.gtune;
  best.device = facts_from(facts);
  best.problem = values_from(sizes, names_from(names));
  best.verified = verified == "passed";
  Statement select(database, select_measurements() + "WHERE id = ?");
  Binder(select) << id;
  best.best = read_measurements(select).at(0);
  return best;
}

}  // namespace

void Database::answer_of_warm_l2() {
  with_user_errors(m_path, *m_connection, [&] { m_connection->exec(k_warm_winner); });
  m_statements = std::make_unique<StatementCache>(*m_connection);  // the others mean the old view
}

std::vector<TunedProblem> Database::tuned_problems(const KernelIdentity& kernel) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection,
                     "SELECT id, sizes FROM problem WHERE id IN "
                     "(SELECT problem_id FROM run WHERE kernel_id = ?) ORDER BY id");
    Binder(select) << find_kernel_row(*m_statements, kernel);
    std::vector<TunedProblem> problems;
    while (select.executeStep()) {
      TunedProblem problem;
      std::string sizes;
      Row(select) >> problem.id >> sizes;
      problem.sizes = values_from(sizes, kernel.problem_names);
      problems.push_back(std::move(problem));
    }
    return problems;
  });
}

std::vector<DeviceFacts> Database::tuned_devices(const KernelIdentity& kernel) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection,
                     "SELECT facts FROM device WHERE id IN "
                     "(SELECT device_id FROM run WHERE kernel_id = ?) ORDER BY id");
    Binder(select) << find_kernel_row(*m_statements, kernel);
    std::vector<DeviceFacts> devices;
    while (select.executeStep()) devices.push_back(facts_from(select.getColumn(0).getString()));
    return devices;
  });
}

namespace {

/// Reads winners of one kernel, of all problems or of one after the other.
class WinnerReader {
 public:
  WinnerReader(StatementCache& statements, const KernelIdentity& kernel, bool all)
      : m_kernel(kernel),
        m_row(find_kernel_row(statements, kernel)),
        m_use(statements, std::string("SELECT device.id, problem.id, device.facts, problem.sizes, "
                                      "config.params, m.median_ms, m.l2_flushed FROM winner "
                                      "CROSS JOIN measurement AS m ON m.id = winner.measurement_id "
                                      "JOIN problem ON problem.id = winner.problem_id "
                                      "JOIN device ON device.id = winner.device_id "
                                      "JOIN config ON config.id = m.config_id "
                                      "WHERE winner.kernel_id = ?1 AND ") +
                              (all ? "?2 IS NULL" : "winner.problem_id = ?2") +
                              " ORDER BY device.id, problem.id") {}

  void read(std::optional<ProblemId> problem) {
    Statement& select = *m_use;
    select.reset();
    Binder(select) << m_row << problem;
    while (select.executeStep()) {
      Winner winner;
      std::string facts, sizes, params;
      Row(select) >> winner.device_id >> winner.problem_id >> facts >> sizes >> params >>
          winner.median_ms >> winner.l2_flushed;
      if (!m_devices.contains(winner.device_id)) m_devices[winner.device_id] = facts_from(facts);
      winner.device = m_devices[winner.device_id];
      winner.problem = values_from(sizes, m_kernel.problem_names);
      winner.config = values_from(params, m_kernel.parameter_names);
      m_winners.push_back(std::move(winner));
    }
  }

  [[nodiscard]] std::vector<Winner> take() { return std::move(m_winners); }

 private:
  const KernelIdentity& m_kernel;
  KernelId m_row;
  StatementCache::Use m_use;
  std::map<DeviceId, DeviceFacts> m_devices;  // few, and their facts take long to read
  std::vector<Winner> m_winners;
};

}  // namespace

std::vector<Winner> Database::winners(const KernelIdentity& kernel) const {
  return with_user_errors(m_path, *m_connection, [&] {
    WinnerReader reader(*m_statements, kernel, true);
    reader.read(std::nullopt);
    return reader.take();
  });
}

std::vector<Winner> Database::winners(const KernelIdentity& kernel,
                                      const std::vector<ProblemId>& problems) const {
  return with_user_errors(m_path, *m_connection, [&] {
    WinnerReader reader(*m_statements, kernel, false);
    for (const ProblemId problem : problems) reader.read(problem);
    return reader.take();
  });
}

std::vector<BestRow> Database::query_best(const KernelIdentity& kernel,
                                          const BestFilter& filter) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(
        *m_connection,
        std::string("SELECT m.id, device.facts, problem.sizes, kernel.problem_names, "
                    "winner.verified, winner.ended_run_id IS NOT NULL, m.l2_flushed, "
                    "speed.gflops, speed.gbps, "
                    "toolchain.driver, toolchain.runtime, toolchain.nvrtc, toolchain.cupti, "
                    "toolchain.gtune") +
            k_from_winner + of_problem(filter, "winner.problem_id") +
            "AND winner.kernel_id = ?1 "
            "ORDER BY device.replayed, device.name, device.id, problem.id");
    bind_filter(*m_statements, select, kernel, filter);
    std::vector<BestRow> rows;
    while (select.executeStep()) rows.push_back(read_best(*m_connection, select));
    return rows;
  });
}

std::vector<ConfigSpeed> Database::load_speeds(const KernelIdentity& kernel,
                                               const BestFilter& filter) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(
        *m_connection,
        "WITH best AS MATERIALIZED (SELECT winner.problem_id, winner.device_id, m.l2_flushed "
        "FROM winner CROSS JOIN measurement AS m ON m.id = winner.measurement_id "
        "WHERE winner.kernel_id = ?1" +
            of_problem(filter, "winner.problem_id") +
            ") SELECT device.id, problem.id, config.id, m.median_ms, speed.gflops, speed.gbps, "
            "m.registers, m.spill_store_bytes + m.spill_load_bytes, m.l2_flushed, "
            "device.facts, problem.sizes, config.params FROM measurement AS m "
            "JOIN best ON best.problem_id = m.problem_id AND best.device_id = m.device_id "
            "AND best.l2_flushed = m.l2_flushed "
            "JOIN problem ON problem.id = m.problem_id "
            "JOIN device ON device.id = m.device_id "
            "JOIN config ON config.id = m.config_id "
            "JOIN speed ON speed.measurement_id = m.id "
            "WHERE m.kernel_id = ?1" +
            of_problem(filter, "m.problem_id") +
            "AND coalesce(device.name = ?4 COLLATE NOCASE, 1) "
            "AND m.status = 'ok' AND m.phase <> 'baseline' "
            "AND coalesce(m.toolchain_id = device.toolchain_id, 1) "
            "AND NOT EXISTS (SELECT 1 FROM measurement AS wrong "
            "WHERE wrong.kernel_id = m.kernel_id AND wrong.problem_id = m.problem_id "
            "AND wrong.device_id = m.device_id AND wrong.toolchain_id = m.toolchain_id "
            "AND wrong.config_id = m.config_id AND wrong.status = 'wrong_result') "
            "ORDER BY device.name, device.id, problem.id, m.id");
    bind_filter(*m_statements, select, kernel, filter);
    // Each text is read once: rows are a thousand times as many as what they are of.
    std::map<DeviceId, DeviceFacts> devices;
    std::map<ProblemId, Problem> problems;
    std::map<std::int64_t, Config> configs;
    std::map<std::tuple<DeviceId, ProblemId, std::int64_t>, std::size_t> places;
    std::vector<ConfigSpeed> speeds;
    while (select.executeStep()) {
      ConfigSpeed speed;
      DeviceId device{};
      ProblemId problem{};
      std::int64_t config = 0;
      Row row(select);
      row >> device >> problem >> config >> speed.median_ms >> speed.gflops >> speed.gbps >>
          speed.registers >> speed.spilled_bytes >> speed.l2_flushed;
      const SQLite::Column facts = row.next(), sizes = row.next(), params = row.next();
      if (!devices.contains(device)) devices[device] = facts_from(facts.getString());
      if (!problems.contains(problem)) {
        problems[problem] = values_from(sizes.getString(), kernel.problem_names);
      }
      if (!configs.contains(config)) {
        configs[config] = values_from(params.getString(), kernel.parameter_names);
      }
      speed.device = devices[device];
      speed.problem = problems[problem];
      speed.config = configs[config];
      const auto [place, is_new] =
          places.emplace(std::tuple(device, problem, config), speeds.size());
      if (is_new) {
        speeds.push_back(std::move(speed));
      } else {
        speeds[place->second] = std::move(speed);
      }
    }
    return speeds;
  });
}

std::vector<std::optional<double>> Database::find_median_ms(
    const KernelIdentity& kernel, const Winner& where, const std::vector<Config>& configs) const {
  return with_user_errors(m_path, *m_connection, [&] {
    const StatementCache::Use use(
        *m_statements,
        "SELECT m.median_ms FROM device JOIN measurement AS m "
        "ON m.device_id = device.id AND m.toolchain_id = device.toolchain_id "
        "WHERE device.id = ? AND m.kernel_id = ? AND m.problem_id = ? "
        "AND m.l2_flushed = ? AND m.phase IN ('search', 'final') "
        "AND m.config_id = (SELECT id FROM config WHERE kernel = ? AND params = ?) "
        "AND m.status = 'ok' AND NOT EXISTS (SELECT 1 FROM measurement AS wrong "
        "WHERE wrong.kernel_id = m.kernel_id AND wrong.problem_id = m.problem_id "
        "AND wrong.device_id = m.device_id AND wrong.toolchain_id = m.toolchain_id "
        "AND wrong.config_id = m.config_id AND wrong.status = 'wrong_result') "
        "ORDER BY m.id DESC LIMIT 1");
    Statement& select = *use;
    const KernelId row = find_kernel_row(*m_statements, kernel);
    std::vector<std::optional<double>> times;
    for (const Config& config : configs) {
      select.reset();
      Binder(select) << where.device_id << row << where.problem_id << where.l2_flushed
                     << kernel.name << values_text(config);
      times.emplace_back();
      if (select.executeStep()) Row(select) >> times.back();
    }
    return times;
  });
}

std::int64_t Database::count_other_sources(const KernelIdentity& kernel,
                                           const BestFilter& filter) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection, std::string("SELECT count(*)") + k_from_winner +
                                        of_problem(filter, "winner.problem_id") +
                                        "AND kernel.name = ?2 AND kernel.id <> ?1");
    bind_filter(*m_statements, select, kernel, filter);
    select.executeStep();
    return select.getColumn(0).getInt64();
  });
}

}  // namespace gtune
