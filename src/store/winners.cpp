#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "embedded/count_other_sources.sql.hpp"
#include "embedded/select_winners.sql.hpp"
#include "store/answer_views.hpp"
#include "store/database.hpp"
#include "store/inventory.hpp"
#include "store/json_text.hpp"
#include "store/kernel_rows.hpp"
#include "store/measurement_rows.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

// Database: the best of each problem and device.
namespace gtune {

using SQLite::Statement;

namespace {

/// Reads the winners of one kernel, for all problems or for one at a time.
class WinnerReader {
 public:
  WinnerReader(StatementCache& statements, const KernelIdentity& kernel, bool all)
      : m_kernel(kernel),
        m_row(find_kernel_row(statements, kernel)),
        m_use(statements,
              fmt::format(fmt::runtime(embedded::k_select_winners_sql),
                          fmt::arg("of_problem", all ? "?2 IS NULL" : "winner.problem_id = ?2"))) {}

  void read(std::optional<ProblemId> problem) {
    Statement& select = *m_use;
    select.reset();
    Binder(select) << m_row << problem;
    while (select.executeStep()) {
      Winner winner;
      std::string facts, sizes, params, verified;
      Row(select) >> winner.device_id >> winner.problem_id >> facts >> sizes >> params >>
          winner.median_ms >> winner.mode >> winner.measurement_id >> winner.complete >> verified;
      winner.verified = verified == "passed";
      if (!m_devices.contains(winner.device_id)) m_devices[winner.device_id] = facts_from(facts);
      winner.device = m_devices[winner.device_id];
      winner.problem = Problem(values_from(sizes, m_kernel.problem_names));
      winner.config = Config(values_from(params, m_kernel.parameter_names));
      m_winners.push_back(std::move(winner));
    }
  }

  [[nodiscard]] std::vector<Winner> take() { return std::move(m_winners); }

 private:
  const KernelIdentity& m_kernel;
  KernelId m_row;
  StatementCache::Use m_use;
  std::map<DeviceId, DeviceFacts> m_devices;  // few, and their facts are slow to parse
  std::vector<Winner> m_winners;
};

}  // namespace

void Database::answer_of(const TimingMode& mode) {
  with_user_errors(m_path, *m_connection, [&] { ask_timing_alone(*m_connection, mode); });
  m_statements = std::make_unique<StatementCache>(*m_connection);  // the old ones use the old view
}

Snapshot Database::snapshot() const {
  return with_user_errors(m_path, *m_connection, [&] { return Snapshot(*m_connection); });
}

std::optional<ProblemId> Database::find_problem(const std::string& kernel_name,
                                                const Problem& problem) const {
  return with_user_errors(m_path, *m_connection,
                          [&] { return find_problem_row(*m_statements, kernel_name, problem); });
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
      problem.sizes = Problem(values_from(sizes, kernel.problem_names));
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

std::vector<KernelIdentity> Database::other_sources(const KernelIdentity& kernel) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection,
                     std::string("SELECT source_hash, spec_hash, problem_names, parameter_names "
                                 "FROM kernel WHERE name = ? AND id <> ? ORDER BY ") +
                         k_current_first);
    Binder(select) << kernel.name << find_kernel_row(*m_statements, kernel);
    std::vector<KernelIdentity> others;
    while (select.executeStep()) {
      KernelIdentity& other = others.emplace_back();
      std::string problem_names, parameter_names;
      other.name = kernel.name;
      Row(select) >> other.source_hash >> other.spec_hash >> problem_names >> parameter_names;
      other.problem_names = names_from(problem_names);
      other.parameter_names = names_from(parameter_names);
    }
    return others;
  });
}

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

BestRow Database::load_best(const Winner& winner) const {
  return with_user_errors(m_path, *m_connection, [&] {
    BestRow best;
    best.device = winner.device;
    best.problem = winner.problem;
    best.mode = winner.mode;
    best.complete = winner.complete;
    best.verified = winner.verified;
    best.best = load_measurement(*m_statements, winner.measurement_id);
    const StatementCache::Use others(
        *m_statements,
        "SELECT speed.gflops, speed.gbps, toolchain.driver, toolchain.runtime, "
        "toolchain.nvrtc, toolchain.cupti, toolchain.gtune FROM measurement AS m "
        "JOIN speed ON speed.measurement_id = m.id "
        "JOIN toolchain ON toolchain.id = m.toolchain_id WHERE m.id = ?");
    Binder(*others) << winner.measurement_id;
    Toolchain& toolchain = best.toolchain;
    if ((*others).executeStep()) {
      Row(*others) >> best.gflops >> best.gbps >> toolchain.driver >> toolchain.runtime >>
          toolchain.nvrtc >> toolchain.cupti >> toolchain.gtune;
    }
    return best;
  });
}

std::vector<BestRow> Database::query_best(const KernelIdentity& kernel,
                                          const BestFilter& filter) const {
  return with_user_errors(m_path, *m_connection, [&] {
    const Snapshot snapshot = this->snapshot();
    std::vector<Winner> found;
    if (!filter.problem) {
      found = winners(kernel);
    } else if (const auto problem = find_problem(kernel.name, *filter.problem)) {
      found = winners(kernel, {*problem});
    }
    std::erase_if(found, [&](const Winner& winner) {
      return filter.device_name && !same_device_name(winner.device.name, *filter.device_name);
    });
    std::sort(found.begin(), found.end(), [](const Winner& a, const Winner& b) {
      const auto key = [](const Winner& winner) {
        return std::tie(winner.device.replayed, winner.device.name, winner.device_id,
                        winner.problem_id);
      };
      return key(a) < key(b);
    });
    std::vector<BestRow> rows;
    for (const Winner& winner : found) rows.push_back(load_best(winner));
    return rows;
  });
}

std::int64_t Database::count_other_sources(const KernelIdentity& kernel,
                                           const BestFilter& filter) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection,
                     fmt::format(fmt::runtime(embedded::k_count_other_sources_sql),
                                 fmt::arg("of_problem", of_problem(filter, "winner.problem_id"))));
    bind_filter(*m_statements, select, kernel, filter);
    select.executeStep();
    return select.getColumn(0).getInt64();
  });
}

}  // namespace gtune
