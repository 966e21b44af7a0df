#include "cli/metrics_report.hpp"

namespace gtune {

Document metrics_report(const std::string& chip, const std::vector<OfferedMetric>& metrics) {
  Table table({column("name", "name"), column("passes", "passes"), column("unit", "unit"),
               column("CUPTI metric", "metric"), column("description", "description")});
  table.key("metrics");
  for (const OfferedMetric& each : metrics) {
    const MetricFacts& facts = each.facts;
    table.row({each.name, facts.passes, facts.unit,
               Cell(facts.metric).said(each.name == facts.metric ? "" : facts.metric),
               each.help.empty() ? facts.description : each.help});
  }
  return Document("metrics of " + chip).data("chip", chip).table(std::move(table));
}

}  // namespace gtune
