#include "explain/value_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "explain/comparison.hpp"
#include "explain/metric_reading.hpp"
#include "model/step_metrics.hpp"

namespace gtune {
namespace {

constexpr int k_digits = 3;

bool is_evidence(const std::string& name, const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return std::any_of(finding.evidence.begin(), finding.evidence.end(),
                       [&](const Evidence& each) { return each.name == name; });
  });
}

Cell shown(const std::optional<double>& value, const std::string& unit) {
  return Quantity{value, unit, k_digits};
}

Table value_table(const Explanation& each) {
  std::vector<Column> columns = {text_column(), column("", "name"), json_column("unit"),
                                 json_column("kind"), column(each.subject.name, "value")};
  if (each.versus) {
    columns.push_back(column(each.versus->name, "versus"));
    columns.push_back(column("ratio", "ratio"));
    columns.push_back(column("", "reading"));
  }
  Table table(std::move(columns));
  table.key("values").groups(value_headings());
  for (const ComparedValue& row : compare(each.subject, each.versus ? &*each.versus : nullptr)) {
    std::vector<Cell> cells = {is_evidence(row.name, each.findings) ? "*" : "", row.name, row.unit,
                               row.counted ? "metric" : "static", shown(row.value, row.unit)};
    if (each.versus) {
      cells.push_back(shown(row.versus, row.unit));
      cells.emplace_back(Quantity{row.ratio(), "ratio", k_digits});
      cells.emplace_back(row.value && row.versus ? reading_of(row.name, *row.value, *row.versus)
                                                 : "");
    }
    table.row(std::move(cells), static_cast<std::size_t>(group_of(row.name)));
  }
  return table;
}

/// Notes the metrics without a value by reason.
void note_not_counted(Document& out, const Subject& subject) {
  std::map<std::string, std::string> names;
  for (const Metric& metric : subject.metrics) {
    if (metric.value) continue;
    std::string& list = names[metric.reason];
    list += (list.empty() ? "" : ", ") + metric.name;
  }
  for (const auto& [reason, list] : names) {
    out.note(fmt::format("not counted for {}: {}: {}", subject.name, list, reason));
  }
}

}  // namespace

const std::vector<std::string>& value_headings() {
  static const std::vector<std::string> headings = {
      "time",         "memory", "compute", "occupancy and latency", "launch and resources",
      "other metrics"};
  return headings;
}

bool has_metrics(const Subject& subject) {
  return std::any_of(subject.metrics.begin(), subject.metrics.end(), [](const Metric& metric) {
    return metric.value.has_value() && !is_step_metric(metric);
  });
}

/// For a configuration that is neither the best nor a baseline, so that --profile top leaves it
/// out.
std::string option_for(const Subject& subject) {
  const bool is_of_search = subject.name != "best" && subject.measured.phase == Phase::search;
  return is_of_search ? " --config " + subject.measured.config.text() : "";
}

void note_missing_metrics(Document& out, const Explanation& explanation) {
  std::string without, why, option;
  for (const Subject* subject :
       {&explanation.subject, explanation.versus ? &*explanation.versus : nullptr}) {
    if (subject == nullptr) continue;
    if (has_metrics(*subject)) {
      note_not_counted(out, *subject);
      continue;
    }
    without += (without.empty() ? "" : " and ") + subject->name;
    option += option_for(*subject);
    if (!subject->metrics.empty()) why = " (" + subject->metrics.front().reason + ")";
  }
  if (without.empty()) return;
  out.note(fmt::format(
      "no stored metrics of {}{}: {}{} --profile top measures them on a GPU with readable counters",
      without, why, explanation.tuned_by, option));
}

void add_values(Document& out, const Explanation& explanation) {
  out.table(value_table(explanation));
  if (!explanation.findings.empty()) out.note("* evidence of a finding below");
  note_missing_metrics(out, explanation);
}

}  // namespace gtune
