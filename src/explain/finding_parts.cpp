#include "explain/finding_parts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "explain/changes_table.hpp"
#include "explain/value_table.hpp"
#include "model/value_word.hpp"
#include "report/quantity.hpp"

namespace gtune {
namespace {

void add_evidence(Document& out, const std::vector<Evidence>& evidence) {
  Table table({json_column("name"), json_column("value"), json_column("unit")});
  std::string said;
  for (const Evidence& each : evidence) {
    table.row({each.name, each.value, each.unit});
    said += fmt::format("{}{} {}", said.empty() ? "" : ", ", each.name,
                        quantity_text(each.value, each.unit));
  }
  out.line("evidence", said).table(table.key("evidence"));
}

/// "the best measured with it: 2.61 ms (+2.8 %)"
std::string measured_text(double best_ms, double median_ms) {
  constexpr double hardly = 0.02;
  const double change = best_ms / median_ms - 1;
  return fmt::format("the best measured with it: {} ({:+.1f} %{})", quantity_text(best_ms, "ms"),
                     100 * change, std::abs(change) < hardly ? ", hardly different" : "");
}

void add_moves(Document& out, const std::vector<Move>& moves, double median_ms) {
  Table table({json_column("parameter"), json_column("from"), json_column("to"),
               json_column("effect"), json_column("best_ms")});
  for (const Move& move : moves) {
    table.row(
        {move.parameter, value_cell(move.from), value_cell(move.to), move.effect, move.best_ms});
    out.line("move",
             fmt::format("{} {} -> {}: {}; {}", move.parameter, value_text(move.from),
                         value_text(move.to), move.effect,
                         move.best_ms ? measured_text(*move.best_ms, median_ms) : "not measured"));
  }
  out.table(table.key("moves"));
}

/// "PAD 0 -> 1: leaves 3 % of the cause, 12.3 % less time (this configuration)"
std::string left_text(const ParameterChange& change) {
  return fmt::format("{} {} -> {}: leaves {:.0f} % of the cause, {}", change.parameter,
                     value_text(change.from), value_text(change.to),
                     100 * change.after / change.before, time_change_text(change));
}

void add_changes(Document& out, const Finding& finding) {
  const MeasuredChanges& changes = *finding.changes;
  for (const ParameterChange& each : changes.helpful) out.line("measured", left_text(each));
  // A unit that does the kernel's own work is no cause that a parameter should remove.
  if (changes.helpful.empty() && !is_of_bound(finding.rule)) {
    out.line("measured",
             changes.compared == 0
                 ? "nothing to compare: no configuration that differs in one parameter has these "
                   "metrics (--profile all, --metrics)"
                 : fmt::format("none of {} changes of one parameter reduced it to {:.0f} % or less",
                               changes.compared, 100 * k_clearly_less));
  }
  out.data("changes_compared", changes.compared)
      .table(changes_table(changes.helpful).key("changes"));
}

/// Why nothing is known of how a rule fares.
std::string unchecked_text(std::string_view rule) {
  return rule == "latency_bound" ? "no: it has no single cause whose removal could be measured"
                                 : "not yet: fewer than ten pairs of configurations were measured";
}

void add_record(Document& out, const Finding& finding) {
  const std::optional<RuleRecord>& record = finding.record;
  const std::string text = record ? record_text(*record) : "";
  const std::string weak = record && is_weak(*record) ? "; so it seldom helps" : "";
  out.line("checked", text.empty() ? unchecked_text(finding.rule) : text + weak);
  if (!record) return;
  out.part(Document()
               .data("pairs", record->pairs)
               .data("held", record->held)
               .data("faster", record->faster)
               .data("mean_bound", record->bound)
               .data("mean_saved", record->saved)
               .data("steps", record->steps)
               .data("steps_faster", record->steps_faster)
               .data("mean_step_saved", record->step_saved),
           "checked");
}

Document finding_part(std::size_t number, const Finding& finding, double median_ms) {
  Document out(fmt::format("{}. {}", number, finding.summary));
  out.data("rule", finding.rule).data("summary", finding.summary).data("bound", finding.bound);
  out.fact("costs", "costs_at_most",
           Cell(finding.cost)
               .said(finding.cost ? fmt::format("at most {:.0f} % of the time: {}",
                                                100 * *finding.cost, finding.bound)
                                  : finding.bound));
  add_record(out, finding);
  add_evidence(out, finding.evidence);
  out.fact("change", "advice", finding.advice);
  add_moves(out, finding.moves, median_ms);
  if (finding.changes) add_changes(out, finding);
  return out;
}

}  // namespace

void add_findings(Document& out, const Explanation& explanation) {
  const Subject& subject = explanation.subject;
  std::vector<Document> parts;
  for (const Finding& finding : explanation.findings) {
    parts.push_back(finding_part(parts.size() + 1, finding, subject.measured.timing->median_ms));
  }
  out.note(parts.empty() ? fmt::format("no findings of {}{}", subject.name,
                                       has_metrics(subject) ? "" : ": most of them need metrics")
                         : fmt::format("findings of {}, the most promising first", subject.name));
  out.parts(std::move(parts), "findings");
}

}  // namespace gtune
