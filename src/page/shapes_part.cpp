#include "page/shapes_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "model/words.hpp"
#include "page/effects_figure.hpp"
#include "page/figure.hpp"
#include "report/document_html.hpp"
#include "report/markup_text.hpp"
#include "report/quantity.hpp"
#include "report/throughput.hpp"
#include "report/timing_text.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

/// The best's speed over that of the fastest baseline; absent without one.
std::optional<double> speedup(const ProblemBest& best) {
  const Measurement* baseline = best.fastest_baseline();
  if (baseline == nullptr) return std::nullopt;
  return baseline->timing->median_ms / best.row.best.measurement.timing->median_ms;
}

/// Less than this is a tie: times of equal code differ by as much.
constexpr double k_tie = 0.01;

enum class Outcome { win, tie, loss };

Outcome outcome_of(double times_as_fast) {
  if (times_as_fast > 1 + k_tie) return Outcome::win;
  return times_as_fast < 1 - k_tie ? Outcome::loss : Outcome::tie;
}

constexpr const char* k_outcomes[] = {"faster than baselines", "as fast within 1 %",
                                      "slower than a baseline"};

std::size_t distinct_values(const KernelRecord& record, const std::string& size) {
  std::set<std::int64_t> values;
  for (const ProblemBest& each : record.best)
    values.insert(each.row.problem.find(size).value_or(0));
  return values.size();
}

/// Whether a size has a value other than its default in some problem: otherwise it follows others.
bool is_given(const KernelRecord& record, const std::string& size) {
  return std::any_of(record.best.begin(), record.best.end(), [&](const ProblemBest& each) {
    return sizes_to_give(*record.spec, each.row.problem).find(size).has_value();
  });
}

/// The two sizes with the most values, the earlier ones first; fewer if fewer vary.
std::vector<std::string> varying_sizes(const KernelRecord& record) {
  std::vector<std::string> names;
  for (const ProblemSize& size : record.spec->sizes) {
    if (distinct_values(record, size.name) > 1 && is_given(record, size.name)) {
      names.push_back(size.name);
    }
  }
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return distinct_values(record, a) > distinct_values(record, b);
  });
  if (names.size() > 2) names.resize(2);
  return names;
}

std::string note_of(const KernelSpec& spec, const ProblemBest& each) {
  const Measurement* baseline = each.fastest_baseline();
  return fmt::format("{}: {} as fast as {}", problem_text(spec, each.row.problem),
                     factor_text(speedup(each).value_or(0)),
                     baseline == nullptr ? "" : baseline->label);
}

std::vector<std::int64_t> values_of(const KernelRecord& record, const std::string& size) {
  std::vector<std::int64_t> values;
  for (const ProblemBest& each : record.best)
    values.push_back(each.row.problem.find(size).value_or(0));
  return values;
}

std::string title_of(const KernelRecord& record) {
  std::size_t compared = 0, lost = 0;
  double product = 0;
  for (const ProblemBest& each : record.best) {
    const auto times_as_fast = speedup(each);
    if (!times_as_fast) continue;
    ++compared;
    product += std::log(*times_as_fast);
    if (outcome_of(*times_as_fast) == Outcome::loss) ++lost;
  }
  const std::string faster =
      lost == 0
          ? fmt::format("The best is as fast as all baselines or faster on {}",
                        compared == 1 ? "the problem" : fmt::format("all {} problems", compared))
          : fmt::format("The best is slower than a baseline on {} of {}", lost,
                        counted(compared, "problem"));
  const double mean = std::exp(product / static_cast<double>(std::max<std::size_t>(1, compared)));
  const std::size_t others = record.best.size() - compared;
  const std::string beside = others == 0 ? ""
                                         : fmt::format("; no baseline was measured on {}",
                                                       counted(others, "other problem"));
  return fmt::format("{}; {} as fast as the fastest of them in the geometric mean{}", faster,
                     factor_text(mean), beside);
}

/// The problems of each outcome by two sizes, as points; outcomes without a problem are left out.
std::vector<ChartLine> outcome_lines(const KernelRecord& record,
                                     const std::vector<std::string>& sizes) {
  std::vector<ChartLine> lines;
  for (const char* outcome : k_outcomes) {
    lines.push_back({outcome, {}, {}, LineStyle::points, lines.size()});
  }
  for (const ProblemBest& each : record.best) {
    const auto times_as_fast = speedup(each);
    if (!times_as_fast) continue;
    const auto of = [&](const std::string& size) {
      return static_cast<double>(each.row.problem.find(size).value_or(0));
    };
    lines[static_cast<std::size_t>(outcome_of(*times_as_fast))].points.push_back(
        {of(sizes[0]), of(sizes[1]), note_of(*record.spec, each)});
  }
  std::erase_if(lines, [](const ChartLine& line) { return line.points.empty(); });
  return lines;
}

/// Says that the map cannot show all problems apart; empty if it can.
std::string places_note(const std::vector<ChartLine>& lines) {
  std::set<std::pair<double, double>> places;
  std::size_t shown = 0;
  for (const ChartLine& line : lines) {
    shown += line.points.size();
    for (const ChartPoint& point : line.points) places.emplace(point.x, point.y);
  }
  if (places.size() == shown) return "";
  return fmt::format(
      "The {} lie on {} points: those that differ in other sizes share one, with the slowest "
      "outcome on top. ",
      counted(shown, "problem"), places.size());
}

/// How the best compares with the baselines: a map of the problems by two sizes; a sentence if
/// fewer than two vary, or all problems have the same outcome. Empty if no baseline was measured.
std::string outcome_element(const KernelRecord& record, const std::string& id) {
  if (std::ranges::none_of(record.best,
                           [](const ProblemBest& each) { return speedup(each).has_value(); })) {
    return "";
  }
  const std::vector<std::string> sizes = varying_sizes(record);
  if (sizes.size() < 2) return paragraph(title_of(record) + ".");
  std::vector<ChartLine> lines = outcome_lines(record, sizes);
  if (lines.size() < 2) return paragraph(title_of(record) + ".");
  std::string description = fmt::format("Problems by {} and {}.", sizes[0], sizes[1]);
  for (const ChartLine& line : lines) {
    description += fmt::format(" {}: {}.", line.name, line.points.size());
  }
  const std::string note = places_note(lines);
  Chart chart{title_of(record), "", number_axis(sizes[0], values_of(record, sizes[0])),
              number_axis(sizes[1], values_of(record, sizes[1])), std::move(lines)};
  chart.height = 360;
  Figure figure{id, inline_svg_of(chart, id, description), chart.title};
  figure.note = note + "The table below has the numbers.";
  return figure_element(figure);
}

std::string device_text(const BestRow& row) {
  return row.device.name + (row.device.replayed ? " (replayed from a recording)" : "");
}

bool has_several_devices(const KernelRecord& record) {
  return std::any_of(record.best.begin(), record.best.end(), [&](const ProblemBest& each) {
    return device_text(each.row) != device_text(record.best.front().row);
  });
}

/// "54.3 %, FMA units" of a speed "50.31 TFLOP/s, 54.3 % of the limit of FMA units".
std::string limit_of(const std::string& speed) {
  constexpr std::string_view of = " of the limit of ";
  const std::size_t comma = speed.find(", "), middle = speed.find(of);
  if (comma == std::string::npos || middle == std::string::npos) return "";
  return speed.substr(comma + 2, middle - comma - 2) + ", " + speed.substr(middle + of.size());
}

std::vector<Cell> shape_cells(const KernelSpec& spec, const ProblemBest& each) {
  const BestRow& row = each.row;
  const double ms = row.best.measurement.timing->median_ms;
  const Measurement* baseline = each.fastest_baseline();
  const auto times_as_fast = speedup(each);
  const std::string speed = throughput_of_rates(row.gflops, row.gbps, row.device).text();
  const std::size_t comma = speed.find(", ");
  std::vector<Cell> cells = {problem_text(spec, row.problem), Cell(ms).said(time_text(ms)),
                             Cell(row.gflops ? row.gflops : row.gbps).said(speed.substr(0, comma)),
                             limit_of(speed)};
  cells.push_back(baseline == nullptr
                      ? Cell()
                      : Cell(baseline->label + ", " + time_text(baseline->timing->median_ms)));
  cells.push_back(times_as_fast ? Cell(*times_as_fast).said(factor_text(*times_as_fast)) : Cell());
  cells.emplace_back(each.configurations);
  cells.emplace_back(config_text(spec, row.best.measurement.config));
  return cells;
}

Table shapes_table(const KernelRecord& record) {
  const bool with_device = has_several_devices(record);
  std::vector<Column> columns;
  for (const char* label : {"problem", "time", "speed", "of the limit", "fastest baseline",
                            "speedup", "configurations", "best configuration"}) {
    columns.push_back(text_column(label));
  }
  if (with_device) columns.push_back(text_column("device"));
  Table table(std::move(columns));
  for (const ProblemBest& each : record.best) {
    std::vector<Cell> cells = shape_cells(*record.spec, each);
    if (with_device) cells.emplace_back(device_text(each.row));
    table.row(std::move(cells));
  }
  return table;
}

/// What each parameter contributes over all problems.
std::string all_effects_element(const KernelRecord& record, const std::string& id) {
  const std::vector<ParameterEffect> over_all = combine(record.effects);
  if (record.effects.size() < 2 || !has_comparison(over_all)) return "";
  return heading_element(4, id + "-all-effects", "What matters over all problems") +
         effects_element(
             over_all, id + "-all-effects-chart",
             fmt::format("Slowdown of the best configuration with each value: the geometric mean "
                         "over the problems, of {}, in which the value was measured.",
                         record.effects.size()));
}

}  // namespace

std::string shapes_part(const KernelRecord& record, const std::string& id) {
  std::string out = heading_element(3, id + "-shapes", "All problems");
  out += outcome_element(record, id + "-map");
  if (!has_several_devices(record)) out += paragraph(device_text(record.best.front().row));
  out += "<div class=\"many\">\n" + html_of(shapes_table(record)) + "</div>\n";
  return out + all_effects_element(record, id);
}

}  // namespace gtune
