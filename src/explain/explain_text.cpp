#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "explain/comparison.hpp"
#include "explain/explain_report.hpp"
#include "explain/metric_reading.hpp"
#include "report/heading.hpp"

namespace gtune {
namespace {

/// Four digits, and a letter for thousands of thousands.
std::string number_text(double value) {
  constexpr std::pair<double, const char*> prefixes[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}};
  for (const auto& [size, letter] : prefixes) {
    if (std::abs(value) >= size) return fmt::format("{:.2f}{}", value / size, letter);
  }
  if (value == std::floor(value)) return fmt::format("{:.0f}", value);
  return std::abs(value) >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string optional_text(const std::optional<double>& value) {
  return value ? number_text(*value) : "-";
}

std::string ratio_text(const ComparedValue& row) {
  const auto ratio = row.ratio();
  return ratio ? fmt::format("{:.3g}", *ratio) : "-";
}

std::string table_text(const Explanation& each) {
  const Subject* versus = each.versus ? &*each.versus : nullptr;
  const std::vector<ComparedValue> rows = compare(each.subject, versus);
  std::size_t name = 0, unit = 0;
  for (const ComparedValue& row : rows) {
    name = std::max(name, row.name.size());
    unit = std::max(unit, row.unit.size());
  }
  const std::size_t value = std::max<std::size_t>(10, each.subject.name.size());
  std::string out =
      fmt::format("  {:<{}}  {:<{}}  {:>{}}", "", name, "", unit, each.subject.name, value);
  if (versus == nullptr) {
    out += '\n';
    for (const ComparedValue& row : rows) {
      out += fmt::format("  {:<{}}  {:<{}}  {:>{}}\n", row.name, name, row.unit, unit,
                         optional_text(row.value), value);
    }
    return out;
  }
  const std::size_t other = std::max<std::size_t>(10, versus->name.size());
  out += fmt::format("  {:>{}}  {:>8}\n", versus->name, other, "ratio");
  for (const ComparedValue& row : rows) {
    std::string line = fmt::format("  {:<{}}  {:<{}}  {:>{}}  {:>{}}  {:>8}  ", row.name, name,
                                   row.unit, unit, optional_text(row.value), value,
                                   optional_text(row.versus), other, ratio_text(row));
    if (row.value && row.versus) line += reading_of(row.name, *row.value, *row.versus);
    out += line.erase(line.find_last_not_of(' ') + 1) + '\n';
  }
  return out;
}

bool has_values(const Subject& subject) {
  return std::any_of(subject.metrics.begin(), subject.metrics.end(),
                     [](const Metric& metric) { return metric.value.has_value(); });
}

/// The metrics without a value, by the reason for it.
std::string not_counted_text(const Subject& subject) {
  std::map<std::string, std::string> names;
  for (const Metric& metric : subject.metrics) {
    if (metric.value) continue;
    std::string& list = names[metric.reason];
    list += (list.empty() ? "" : ", ") + metric.name;
  }
  std::string out;
  for (const auto& [reason, list] : names) {
    out += fmt::format("  not counted of {}: {}: {}\n", subject.name, list, reason);
  }
  return out;
}

/// What is missing, and how to get it.
std::string missing_text(const Explanation& each) {
  std::string out, without, why;
  for (const Subject* subject : {&each.subject, each.versus ? &*each.versus : nullptr}) {
    if (subject == nullptr) continue;
    if (has_values(*subject)) {
      out += not_counted_text(*subject);
      continue;
    }
    without += (without.empty() ? "" : " and ") + subject->name;
    if (!subject->metrics.empty()) why = " (" + subject->metrics.front().reason + ")";
  }
  if (without.empty()) return out;
  return out + fmt::format(
                   "  no metrics are stored of {}{}: {} --profile top takes them on a GPU whose "
                   "counters may be read\n",
                   without, why, each.tuned_by);
}

std::string roof_text(const Subject& subject) {
  const StaticFacts& facts = subject.facts;
  if (!facts.roof) return "";
  std::string out;
  if (facts.intensity) {
    out += fmt::format("{:.4g} FLOP/byte", *facts.intensity);
    if (subject.device.fma_tflops && subject.device.dram_gbps) {
      out += fmt::format(" (FMA units bind from {:.3g} on)",
                         *subject.device.fma_tflops * 1e3 / *subject.device.dram_gbps);
    }
    out += "; ";
  }
  out += fmt::format("{:.1f} % of the limit of {}", 100 * facts.roof->share,
                     facts.roof->of_compute ? "FMA units" : "device memory");
  return fmt::format("  roofline  {}\n", out);
}

std::string subject_text(const char* role, const Subject& subject) {
  const Measurement& m = subject.measured;
  std::string out = fmt::format("  {:<8}  {}", role, subject.name);
  if (!m.config.empty()) out += "  " + m.config.text();
  out += '\n';
  if (m.resources && !m.resources->occupancy_limit.empty() &&
      m.resources->theoretical_occupancy < 1) {
    out += fmt::format("            occupancy limited by {}\n", m.resources->occupancy_limit);
  }
  return out;
}

std::string finding_text(std::size_t number, const Finding& finding, double median_ms) {
  std::string out = fmt::format("  {}. {}\n", number, finding.summary);
  out += finding.cost ? fmt::format("     costs     at most {:.0f} % of the time: {}\n",
                                    100 * *finding.cost, finding.bound)
                      : fmt::format("     costs     {}\n", finding.bound);
  std::string evidence;
  for (const Evidence& each : finding.evidence) {
    evidence +=
        fmt::format("{}{} {}{}", evidence.empty() ? "" : ", ", each.name, number_text(each.value),
                    each.unit.empty() || each.unit == "ratio"
                        ? ""
                        : (each.unit == "percent" ? " %" : ' ' + each.unit));
  }
  out += fmt::format("     evidence  {}\n", evidence);
  out += fmt::format("     change    {}\n", finding.advice);
  for (const Move& move : finding.moves) {
    out += fmt::format("     move      {} {} -> {}: {}", move.parameter, move.from, move.to,
                       move.effect);
    out += move.best_ms ? fmt::format("; the best measured with it: {:.4f} ms ({:+.1f} %)\n",
                                      *move.best_ms, 100 * (*move.best_ms / median_ms - 1))
                        : "; not measured\n";
  }
  return out;
}

std::string findings_text(const Explanation& each) {
  if (each.findings.empty()) {
    return fmt::format("  no findings of {}{}\n", each.subject.name,
                       has_values(each.subject) ? "" : ": most of them need metrics");
  }
  std::string out = fmt::format("  findings of {}, by what they may cost\n", each.subject.name);
  for (std::size_t i = 0; i < each.findings.size(); ++i) {
    out += finding_text(i + 1, each.findings[i], each.subject.measured.timing->median_ms);
  }
  return out;
}

}  // namespace

std::string explain_text(const std::string& kernel, const std::vector<Explanation>& explanations) {
  std::string out;
  for (const Explanation& each : explanations) {
    const BestRow& row = each.answer.row;
    out +=
        heading(kernel, row.problem, row.device.name, row.device.replayed, row.l2_flushed) + '\n';
    if (each.answer.tier != Tier::exact || each.answer.shipped) {
      out += fmt::format("  answers   {}\n", answered_text(each.answer));
    }
    out += subject_text("explains", each.subject);
    if (each.versus) out += subject_text("against", *each.versus);
    out += roof_text(each.subject);
    out += table_text(each);
    out += missing_text(each);
    out += findings_text(each);
  }
  return out;
}

}  // namespace gtune
