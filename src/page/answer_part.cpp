#include <fmt/format.h>

#include <algorithm>

#include "answer/best_report.hpp"
#include "model/value_word.hpp"
#include "page/figure.hpp"
#include "page/problem_parts.hpp"
#include "report/document_html.hpp"
#include "report/markup_text.hpp"
#include "report/quantity.hpp"
#include "report/throughput.hpp"
#include "report/timing_text.hpp"

namespace gtune {
namespace {

std::string tile(const std::string& name, const std::string& value, const std::string& note) {
  return "<div><dt>" + markup_text(name) + "</dt><dd><strong>" + markup_text(value) +
         "</strong> <span>" + markup_text(note) + "</span></dd></div>\n";
}

/// The main numbers of the best, large.
std::string tiles(const ProblemRecord& record) {
  const BestRow& row = record.best.row;
  const Timing& timing = *row.best.measurement.timing;
  std::string out = "<dl class=\"tiles\">\n";
  const std::string spread = spread_text(timing);
  out += tile("time", time_text(timing.median_ms),
              spread + (spread.empty() ? "" : ", ") + samples_text(timing));
  const std::string speed = throughput_of_rates(row.gflops, row.gbps, row.device).text();
  if (!speed.empty()) {
    const std::size_t comma = speed.find(", ");
    out += tile("speed", speed.substr(0, comma),
                comma == std::string::npos ? "" : speed.substr(comma + 2));
  }
  if (const Measurement* baseline = record.best.fastest_baseline()) {
    out += tile("against the fastest baseline",
                factor_text(baseline->timing->median_ms / timing.median_ms) + " as fast",
                baseline->label + ": " + time_text(baseline->timing->median_ms));
  }
  return out + "</dl>\n";
}

/// The least time that the roofline allows; absent if it is unknown.
std::optional<double> limit_ms(const ProblemRecord& record) {
  const auto& roof = record.subjects.front().facts.roof;
  return roof ? std::optional(roof->least_ms) : std::nullopt;
}

Figure times_figure(const ProblemRecord& record, const ProblemPlace& place) {
  const double best = record.best.row.best.measurement.timing->median_ms;
  std::vector<Bar> bars;
  if (const auto limit = limit_ms(record)) {
    const bool of_compute = record.subjects.front().facts.roof->of_compute;
    bars.push_back(
        {of_compute ? "limit of FMA units" : "limit of device memory", *limit, time_text(*limit)});
  }
  bars.push_back({"best", best, time_text(best), true});
  for (const StoredMeasurement& each : record.best.baselines) {
    const Measurement& m = each.measurement;
    if (m.ok()) bars.push_back({m.label, m.timing->median_ms, time_text(m.timing->median_ms)});
  }
  std::stable_sort(bars.begin(), bars.end(),
                   [](const Bar& a, const Bar& b) { return a.value < b.value; });
  double most = best;
  for (const Bar& bar : bars) most = std::max(most, bar.value);
  constexpr double longest = 8;  // times the best; longer bars are cut
  most = std::min(most, longest * best);
  const Measurement* fastest = record.best.fastest_baseline();
  const std::string title = fastest != nullptr
                                ? "The best beside the baselines"
                                : "The time of the best, and the least that the device allows";
  std::string description = "Times, shorter is better:";
  Table numbers({text_column("kernel"), text_column("time")});
  for (const Bar& bar : bars) {
    description += " " + bar.name + " " + bar.text + ";";
    numbers.row({bar.name, Cell(bar.value).said(bar.text)});
  }
  const std::string id = place.id + "-times";
  return {id, bars_svg(bars, most, id, title, description), title, "", html_of(numbers)};
}

/// " Next, try STAGES 3 -> 4 (registers 206 -> 132)." or the advice; empty without either. Values
/// with which nothing faster was measured are no news.
std::string next_text(const Finding& finding, double best_ms) {
  constexpr double clearly_faster = 0.98;
  const auto found = std::ranges::find_if(finding.moves, [&](const Move& each) {
    return !each.best_ms || *each.best_ms < clearly_faster * best_ms;
  });
  if (found == finding.moves.end()) {
    if (finding.advice.empty()) return "";
    return (finding.little_is_left ? " But " : " Next: ") + finding.advice + ".";
  }
  const Move& move = *found;
  return fmt::format(" Next, try {} {} -> {}{}.", move.parameter, value_text(move.from),
                     value_text(move.to), move.effect.empty() ? "" : " (" + move.effect + ")");
}

}  // namespace

std::string lead_part(const ProblemRecord& record) {
  constexpr std::size_t date = 10;  // of "2025-01-31T09:30:00.123Z"
  const BestRow& row = record.best.row;
  std::string text = "The best takes " + time_text(row.best.measurement.timing->median_ms);
  if (const auto& roof = record.subjects.front().facts.roof) {
    text += ", " + quantity_text(roof->share, "share") + " of the limit of " +
            (roof->of_compute ? "FMA units" : "device memory");
  }
  text += '.';
  if (!record.explanation.findings.empty()) {
    const Finding& first = record.explanation.findings.front();
    text += (is_of_bound(first.rule) ? " It is " : " Most costly: ") + first.summary + "." +
            next_text(first, row.best.measurement.timing->median_ms);
    if (first.record && is_weak(*first.record)) {
      text += fmt::format(" This is weak advice: it helped in {} of {} measured pairs.",
                          first.record->faster, first.record->pairs);
    }
  }
  const std::string day = row.best.created.substr(0, date);
  if (!day.empty()) {
    text += (row.device.replayed ? " From a recording, replayed on " : " Measured on ") + day;
  }
  if (!day.empty() && !row.toolchain.driver.empty()) text += " with driver " + row.toolchain.driver;
  return "<p class=\"lead\">" + markup_text(text + (day.empty() ? "" : ".")) + "</p>\n";
}

std::string answer_part(const KernelSpec& spec, const ProblemRecord& record,
                        const ProblemPlace& place) {
  std::string out = heading_element(4, place.id + "-answer", "Answer");
  out += tiles(record);
  const bool has_comparison = record.best.fastest_baseline() != nullptr || limit_ms(record);
  if (has_comparison) out += figure_element(times_figure(record, place));
  out += heading_element(5, place.id + "-run", "The best, and the run that found it");
  const BestRow& row = record.best.row;
  out +=
      html_of(Document().line("all sizes", row.problem.text()).line("timing", row.mode.text()), 6);
  if (record.run) {
    out += html_of(run_report(spec, *record.run), 6);
  } else {
    out += html_of(best_report(spec, {record.explanation.answer}), 6) +
           html_of(Document().line("run again", record.run_again), 6);
  }
  return out + html_of(Document().line("run the best", record.measure_again), 6);
}

}  // namespace gtune
