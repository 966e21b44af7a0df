#include <map>
#include <string>

#include "store/database.hpp"
#include "store/json_text.hpp"
#include "store/measurement_rows.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

// Database: what `gtune query` and the exports read.
namespace gtune {

using SQLite::Statement;

namespace {

/// From the view `winner` on; absent filters are NULL parameters.
constexpr const char* k_from_winner =
    " FROM winner JOIN kernel ON kernel.id = winner.kernel_id "
    "JOIN problem ON problem.id = winner.problem_id "
    "JOIN device ON device.id = winner.device_id "
    "CROSS JOIN measurement AS m ON m.id = winner.measurement_id "
    "JOIN speed ON speed.measurement_id = m.id "
    "JOIN toolchain ON toolchain.id = m.toolchain_id "
    "WHERE kernel.name = ?1 AND coalesce(problem.sizes = ?4, 1) "
    "AND coalesce(device.name = ?5 COLLATE NOCASE, 1) ";

constexpr const char* k_same_source = "(kernel.source_hash = ?2 AND kernel.spec_hash = ?3)";

void bind_filter(SQLite::Statement& to, const KernelIdentity& kernel, const BestFilter& filter) {
  std::optional<std::string> sizes;
  if (filter.problem) sizes = values_text(*filter.problem);
  Binder(to) << kernel.name << kernel.source_hash << kernel.spec_hash << sizes
             << filter.device_name;
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

std::vector<StoredProblem> Database::stored_problems(const KernelIdentity& kernel) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection,
                     "SELECT DISTINCT device.id, device.facts, problem.sizes, kernel.problem_names "
                     "FROM run JOIN kernel ON kernel.id = run.kernel_id "
                     "JOIN problem ON problem.id = run.problem_id "
                     "JOIN device ON device.id = run.device_id "
                     "WHERE kernel.name = ? AND kernel.source_hash = ? AND kernel.spec_hash = ? "
                     "ORDER BY device.id, problem.id");
    Binder(select) << kernel.name << kernel.source_hash << kernel.spec_hash;
    std::map<std::int64_t, DeviceFacts> devices;  // few, and their facts take long to read
    std::vector<StoredProblem> problems;
    while (select.executeStep()) {
      std::int64_t device = 0;
      std::string facts, sizes, names;
      Row(select) >> device >> facts >> sizes >> names;
      if (!devices.contains(device)) devices.emplace(device, facts_from(facts));
      problems.push_back({devices.at(device), values_from(sizes, names_from(names))});
    }
    return problems;
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
            k_from_winner + "AND " + k_same_source + " ORDER BY device.replayed, device.name, " +
            "device.id, problem.id");
    bind_filter(select, kernel, filter);
    std::vector<BestRow> rows;
    while (select.executeStep()) rows.push_back(read_best(*m_connection, select));
    return rows;
  });
}

std::int64_t Database::count_other_sources(const KernelIdentity& kernel,
                                           const BestFilter& filter) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection,
                     std::string("SELECT count(*)") + k_from_winner + "AND NOT " + k_same_source);
    bind_filter(select, kernel, filter);
    select.executeStep();
    return select.getColumn(0).getInt64();
  });
}

}  // namespace gtune
