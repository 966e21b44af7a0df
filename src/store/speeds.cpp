#include <map>
#include <string>
#include <tuple>

#include "store/database.hpp"
#include "store/json_text.hpp"
#include "store/kernel_rows.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

// Database: what any configuration reached.
namespace gtune {

using SQLite::Statement;

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
        problems[problem] = Problem(values_from(sizes.getString(), kernel.problem_names));
      }
      if (!configs.contains(config)) {
        configs[config] = Config(values_from(params.getString(), kernel.parameter_names));
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

}  // namespace gtune
