#include "explain/comparison.hpp"
#include "explain/explain_report.hpp"
#include "explain/metric_reading.hpp"
#include "report/values_json.hpp"

namespace gtune {
namespace {

nlohmann::json subject_json(const Subject& subject) {
  const StaticFacts& facts = subject.facts;
  nlohmann::json missing = nlohmann::json::object();
  for (const Metric& metric : subject.metrics) {
    if (!metric.value) missing[metric.name] = metric.reason;
  }
  nlohmann::json out = {{"name", subject.name},
                        {"config", values_json(subject.measured.config)},
                        {"median_ms", subject.measured.timing->median_ms},
                        {"flop_per_byte", optional_json(facts.intensity)},
                        {"not_counted", std::move(missing)}};
  if (facts.roof) {
    out["roof"] = {{"of", facts.roof->of_compute ? "fma" : "dram"},
                   {"least_ms", facts.roof->least_ms},
                   {"share", facts.roof->share}};
  }
  if (subject.measured.resources) {
    out["occupancy_limit"] = subject.measured.resources->occupancy_limit;
  }
  return out;
}

nlohmann::json value_json(const ComparedValue& row, bool compared) {
  nlohmann::json out = {{"name", row.name},
                        {"unit", row.unit},
                        {"kind", row.counted ? "metric" : "static"},
                        {"value", optional_json(row.value)}};
  if (!compared) return out;
  out["versus"] = optional_json(row.versus);
  out["ratio"] = optional_json(row.ratio());
  out["reading"] = row.value && row.versus ? reading_of(row.name, *row.value, *row.versus) : "";
  return out;
}

nlohmann::json finding_json(const Finding& finding) {
  nlohmann::json evidence = nlohmann::json::array();
  for (const Evidence& each : finding.evidence) {
    evidence.push_back({{"name", each.name}, {"value", each.value}, {"unit", each.unit}});
  }
  nlohmann::json moves = nlohmann::json::array();
  for (const Move& move : finding.moves) {
    moves.push_back({{"parameter", move.parameter},
                     {"from", move.from},
                     {"to", move.to},
                     {"effect", move.effect},
                     {"best_ms", optional_json(move.best_ms)}});
  }
  return {{"rule", finding.rule},
          {"summary", finding.summary},
          {"evidence", std::move(evidence)},
          {"costs_at_most", optional_json(finding.cost)},
          {"bound", finding.bound},
          {"advice", finding.advice},
          {"moves", std::move(moves)}};
}

nlohmann::json explanation_json(const Explanation& each) {
  const BestRow& row = each.answer.row;
  const Subject* versus = each.versus ? &*each.versus : nullptr;
  nlohmann::json values = nlohmann::json::array();
  for (const ComparedValue& value : compare(each.subject, versus)) {
    values.push_back(value_json(value, versus != nullptr));
  }
  nlohmann::json findings = nlohmann::json::array();
  for (const Finding& finding : each.findings) findings.push_back(finding_json(finding));
  nlohmann::json out = {{"tier", tier_text(each.answer)},
                        {"asked", values_json(each.answer.asked)},
                        {"device", row.device.name},
                        {"replayed", row.device.replayed},
                        {"l2_flushed", row.l2_flushed},
                        {"problem", values_json(row.problem)},
                        {"subject", subject_json(each.subject)},
                        {"values", std::move(values)},
                        {"findings", std::move(findings)}};
  if (versus != nullptr) out["versus"] = subject_json(*versus);
  return out;
}

}  // namespace

nlohmann::json explain_json(const std::string& kernel,
                            const std::vector<Explanation>& explanations) {
  nlohmann::json out = {{"kernel", kernel}, {"explanations", nlohmann::json::array()}};
  for (const Explanation& each : explanations)
    out["explanations"].push_back(explanation_json(each));
  return out;
}

}  // namespace gtune
