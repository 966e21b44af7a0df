#include <string>

#include "embedded/select_past_runs.sql.hpp"
#include "embedded/select_search_steps.sql.hpp"
#include "store/database.hpp"
#include "store/json_text.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

// Database: how the searches on a problem went.
namespace gtune {

using SQLite::Statement;

std::vector<SearchStep> Database::load_search_steps(
    MeasurementId base, const std::vector<std::string>& parameters) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection, std::string(embedded::k_select_search_steps_sql));
    Binder(select) << base;
    std::vector<SearchStep> steps;
    while (select.executeStep()) {
      SearchStep step;
      std::string phase, status, params;
      bool right = false;
      Row(select) >> step.run >> step.created >> phase >> status >> step.reason >> step.median_ms >>
          step.ci_low_ms >> step.ci_high_ms >> step.gpu_ms >> step.registers >>
          step.spilled_bytes >> step.shared_bytes >> right >> step.is_best >> step.config_row >>
          params;
      step.phase = phase_from_string(phase);
      step.status = status_from_string(status);
      if (!right) step.median_ms = step.ci_low_ms = step.ci_high_ms = std::nullopt;
      step.config = Config(values_from(params, parameters));
      steps.push_back(std::move(step));
    }
    return steps;
  });
}

std::vector<PastRun> Database::load_past_runs(MeasurementId base) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection, std::string(embedded::k_select_past_runs_sql));
    Binder(select) << base;
    std::vector<PastRun> runs;
    while (select.executeStep()) {
      PastRun run;
      std::string seed;
      Row row(select);
      row >> run.id >> run.key.device >> run.key.toolchain >> run.key.kernel >> run.key.problem >>
          run.key.mode >> run.started >> run.finished >> run.strategy >> run.budget >>
          run.command_line >> seed >> run.flops >> run.bytes >> run.same_source >>
          run.whole_space >> run.source_hash >> run.spec_hash >> run.toolchain.driver >>
          run.toolchain.runtime >> run.toolchain.nvrtc >> run.toolchain.cupti >>
          run.toolchain.gtune;
      const SQLite::Column winner = row.next();
      if (!winner.isNull()) run.winner = MeasurementId{winner.getInt64()};
      row >> run.best_ms;
      run.seed = std::stoull(seed);
      runs.push_back(std::move(run));
    }
    return runs;
  });
}

}  // namespace gtune
