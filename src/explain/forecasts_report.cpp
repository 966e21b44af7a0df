#include "explain/forecasts_report.hpp"

#include <fmt/format.h>

#include "report/spec_columns.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

/// "97 %" of some; absent if there are none.
Cell share_of_some(std::int64_t count, std::int64_t all) {
  if (all == 0) return {};
  return fmt::format("{:.0f} %", 100.0 * static_cast<double>(count) / static_cast<double>(all));
}

Cell mean_cell(double share, std::int64_t all) {
  return all == 0 ? Cell() : Cell(fmt::format("{:.1f} %", 100 * share));
}

Table records_table(const std::vector<RuleRecord>& records) {
  Table shown({text_column("rule"), text_column("pairs"), text_column("held"),
               text_column("faster"), text_column("mean bound"), text_column("mean saving"),
               text_column("steps"), text_column("faster"), text_column("mean saving")});
  for (const RuleRecord& each : records) {
    shown.row({each.rule, each.pairs, share_of_some(each.held, each.pairs),
               share_of_some(each.faster, each.pairs), mean_cell(each.bound, each.pairs),
               mean_cell(each.saved, each.pairs), each.steps,
               share_of_some(each.steps_faster, each.steps),
               mean_cell(each.step_saved, each.steps)});
  }
  return shown;
}

Table records_data(const std::vector<RuleRecord>& records) {
  Table data({json_column("rule"), json_column("pairs"), json_column("held"), json_column("faster"),
              json_column("mean_bound"), json_column("mean_saved"), json_column("steps"),
              json_column("steps_faster"), json_column("mean_step_saved")});
  for (const RuleRecord& each : records) {
    data.row({each.rule, each.pairs, each.held, each.faster, each.bound, each.saved, each.steps,
              each.steps_faster, each.step_saved});
  }
  return data.key("rules");
}

/// What was compared.
Table problems_table(const KernelSpec& spec, const std::vector<ProblemForecasts>& problems) {
  Table table({text_column("device"), text_column("sizes"), json_column("device"),
               json_column("uuid"), json_column("replayed"), json_column("problem"),
               column("configurations", "configurations"), column("pairs", "pairs"),
               column("steps", "steps"), text_column()});
  for (const ProblemForecasts& each : problems) {
    table.row({each.device.name, problem_text(spec, each.problem), each.device.name,
               each.device.uuid, each.device.replayed, each.problem, each.configurations,
               each.checked.bounds.size(), each.checked.steps.size(), each.source});
  }
  return table.key("problems");
}

/// Every check, for CSV.
Table all_checks(const KernelSpec& spec, const std::vector<ProblemForecasts>& problems) {
  Table table({csv_column("device"), size_columns(spec), csv_column("check"), csv_column("rule"),
               csv_column("from"), csv_column("to"), csv_column("bound"), csv_column("saved")});
  for (const ProblemForecasts& each : problems) {
    for (const CheckedBound& pair : each.checked.bounds) {
      table.row({each.device.name, each.problem, "bound", pair.rule, pair.with.text(),
                 pair.without.text(), pair.bound, pair.saved});
    }
    for (const CheckedStep& step : each.checked.steps) {
      table.row({each.device.name, each.problem, "step", step.rule, step.from.text(),
                 step.to.text(), Cell(), step.saved});
    }
  }
  return table;
}

}  // namespace

Document forecasts_report(const KernelSpec& spec, const std::vector<ProblemForecasts>& problems) {
  CheckedForecasts all;
  for (const ProblemForecasts& each : problems) {
    all.bounds.insert(all.bounds.end(), each.checked.bounds.begin(), each.checked.bounds.end());
    all.steps.insert(all.steps.end(), each.checked.steps.begin(), each.checked.steps.end());
  }
  const std::vector<RuleRecord> records = records_of(all);
  Document out(fmt::format("{}: findings beside {} measured pairs and {} measured steps", spec.name,
                           all.bounds.size(), all.steps.size()));
  out.data("kernel", spec.name);
  out.note(
      "pairs differ in one parameter: one has the finding, the other at most half of its cause (of "
      "a "
      "unit's time: 0.8); held: the second saved no more than the bound");
  return out.table(records_table(records))
      .table(records_data(records))
      .table(problems_table(spec, problems))
      .table(all_checks(spec, problems));
}

}  // namespace gtune
