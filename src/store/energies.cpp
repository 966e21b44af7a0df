#include <fmt/format.h>

#include <map>
#include <string>
#include <tuple>

#include "embedded/select_energies.sql.hpp"
#include "store/database.hpp"
#include "store/json_text.hpp"
#include "store/kernel_rows.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

// Database: the energies of configurations.
namespace gtune {

std::vector<ConfigEnergy> Database::load_energies(const KernelIdentity& kernel,
                                                  const BestFilter& filter) const {
  return with_user_errors(m_path, *m_connection, [&] {
    SQLite::Statement select(
        *m_connection, fmt::format(fmt::runtime(embedded::k_select_energies_sql),
                                   fmt::arg("of_measurement", of_problem(filter, "m.problem_id"))));
    bind_filter(*m_statements, select, kernel, filter);
    std::map<std::tuple<DeviceId, ProblemId, TimingMode, std::int64_t>, std::size_t> places;
    std::vector<ConfigEnergy> energies;
    while (select.executeStep()) {
      ConfigEnergy each;
      DeviceId device{};
      ProblemId problem{};
      std::int64_t config = 0;
      std::string facts, sizes, params;
      Row(select) >> device >> problem >> config >> each.measurement_id >> each.median_ms >>
          each.mode >> each.use.energy_mj >> each.use.power_w >> facts >> sizes >> params;
      each.device = facts_from(facts);
      each.problem = Problem(values_from(sizes, kernel.problem_names));
      each.config = Config(values_from(params, kernel.parameter_names));
      const auto [place, is_new] =
          places.emplace(std::tuple(device, problem, each.mode, config), energies.size());
      if (is_new) {
        energies.push_back(std::move(each));
      } else {
        energies[place->second] = std::move(each);  // the newest counts
      }
    }
    return energies;
  });
}

}  // namespace gtune
