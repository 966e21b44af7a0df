#include "answer/energy_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/heading.hpp"
#include "report/quantity.hpp"
#include "report/spec_columns.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

bool is_of(const EnergyAnswer& answer, const ConfigEnergy& energy) {
  return answer.device.uuid == energy.device.uuid && answer.device.name == energy.device.name &&
         answer.device.replayed == energy.device.replayed && answer.problem == energy.problem;
}

Document energy_answer_part(const KernelSpec& spec, const EnergyAnswer& answer,
                            const EnergyQuestion& question) {
  const EnergyPoint& best = *best_point(answer.points, question.objective);
  const EnergyPoint& fastest = *best_point(answer.points, Objective::time);
  Document out(
      heading(spec, answer.problem, answer.device.name, answer.device.replayed, answer.mode));
  out.data("device", answer.device.name)
      .data("replayed", answer.device.replayed)
      .data("timing", answer.mode.text())
      .data("problem", answer.problem);
  out.fact("objective", "objective",
           Cell(to_string(question.objective))
               .said(fmt::format("{}, among {} configurations whose energy was measured",
                                 to_string(question.objective), answer.points.size())));
  out.data("measured", answer.points.size());
  out.fact("best", "config", Cell(best.config).said(config_text(spec, best.config)));
  out.fact("time", "median_ms", Cell(best.ms).said(quantity_text(best.ms, "ms", 5)));
  out.fact("energy", "energy_mj", Cell(best.use.energy_mj).said(energy_text(best.use)));
  out.data("power_w", best.use.power_w).data("edp_mj_ms", best.cost(Objective::edp));
  if (fastest.id != best.id) out.line("fastest", compared_text(spec, fastest, best));
  if (question.pareto) out.table(pareto_table(spec, answer.points));
  return out;
}

/// A row for each best configuration, or for each of the Pareto front.
Table energy_csv_rows(const KernelSpec& spec, const std::vector<EnergyAnswer>& answers,
                      const EnergyQuestion& question) {
  Table table({csv_column("device"), csv_column("replayed"), size_columns(spec),
               parameter_columns(spec), csv_column("median_ms"), csv_column("energy_mj"),
               csv_column("power_w"), csv_column("edp_mj_ms"), csv_column("timing")});
  for (const EnergyAnswer& answer : answers) {
    const std::vector<EnergyPoint> shown =
        question.pareto ? pareto_front(answer.points)
                        : std::vector{*best_point(answer.points, question.objective)};
    for (const EnergyPoint& point : shown) {
      table.row({answer.device.name, answer.device.replayed, answer.problem, point.config, point.ms,
                 point.use.energy_mj, point.use.power_w, point.cost(Objective::edp),
                 answer.mode.text()});
    }
  }
  return table;
}

}  // namespace

std::vector<EnergyAnswer> energy_answers(const std::vector<ConfigEnergy>& energies,
                                         const std::optional<TimingMode>& asked) {
  std::vector<EnergyAnswer> answers;
  std::set<TimingMode> modes;
  for (const ConfigEnergy& energy : energies) modes.insert(energy.mode);
  for (const TimingMode& mode : modes) {
    if (asked && mode != *asked) continue;
    for (const ConfigEnergy& energy : energies) {
      if (energy.mode != mode) continue;
      auto answer = std::find_if(answers.begin(), answers.end(),
                                 [&](const EnergyAnswer& each) { return is_of(each, energy); });
      if (answer == answers.end()) {
        answers.push_back({energy.device, energy.problem, mode, {}});
        answer = answers.end() - 1;
      }
      if (answer->mode != mode) continue;
      answer->points.push_back(
          {energy.measurement_id, energy.config, energy.median_ms, energy.use});
    }
  }
  return answers;
}

Document energy_answer_report(const KernelSpec& spec, const std::vector<EnergyAnswer>& answers,
                              const EnergyQuestion& question) {
  std::vector<Document> best;
  for (const EnergyAnswer& answer : answers) {
    best.push_back(energy_answer_part(spec, answer, question));
  }
  return Document()
      .data("kernel", spec.name)
      .parts(std::move(best), "best")
      .table(energy_csv_rows(spec, answers, question));
}

}  // namespace gtune
