#include <fmt/format.h>

#include <map>
#include <string>
#include <tuple>

#include "embedded/select_median.sql.hpp"
#include "embedded/select_speeds.sql.hpp"
#include "store/database.hpp"
#include "store/json_text.hpp"
#include "store/kernel_rows.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

// Database: the speeds of all configurations.
namespace gtune {

using SQLite::Statement;

std::vector<ConfigSpeed> Database::load_speeds(const KernelIdentity& kernel,
                                               const BestFilter& filter) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection,
                     fmt::format(fmt::runtime(embedded::k_select_speeds_sql),
                                 fmt::arg("of_winner", of_problem(filter, "winner.problem_id")),
                                 fmt::arg("of_measurement", of_problem(filter, "m.problem_id"))));
    bind_filter(*m_statements, select, kernel, filter);
    // Each text is parsed once: a thousand rows share one device and problem.
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
          speed.registers >> speed.spilled_bytes >> speed.mode >> speed.blocks_per_sm >>
          speed.measurement_id;
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
    const StatementCache::Use use(*m_statements, std::string(embedded::k_select_median_sql));
    Statement& select = *use;
    const KernelId row = find_kernel_row(*m_statements, kernel);
    std::vector<std::optional<double>> times;
    for (const Config& config : configs) {
      select.reset();
      Binder(select) << where.device_id << row << where.problem_id << where.mode << kernel.name
                     << values_text(config);
      times.emplace_back();
      if (select.executeStep()) Row(select) >> times.back();
    }
    return times;
  });
}

}  // namespace gtune
