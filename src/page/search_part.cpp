#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/words.hpp"
#include "page/figure.hpp"
#include "page/problem_parts.hpp"
#include "report/document_html.hpp"
#include "report/quantity.hpp"
#include "report/timing_text.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

/// A measurement of the search that was faster than all before it.
struct Improvement {
  std::size_t tried = 0;  // configurations, this one included
  double ms = 0;
  const SearchStep* step = nullptr;
};

std::vector<const SearchStep*> search_steps(const ProblemRecord& record) {
  std::vector<const SearchStep*> steps;
  for (const SearchStep& step : record.steps) {
    if (step.phase == Phase::search) steps.push_back(&step);
  }
  return steps;
}

std::vector<Improvement> find_improvements(const std::vector<const SearchStep*>& steps) {
  std::vector<Improvement> improvements;
  std::set<std::int64_t> tried;  // later runs measure some configurations again
  for (const SearchStep* step : steps) {
    tried.insert(step->config_row);
    const auto& ms = step->median_ms;
    if (ms && (improvements.empty() || *ms < improvements.back().ms)) {
      improvements.push_back({tried.size(), *ms, step});
    }
  }
  return improvements;
}

/// After how many configurations the search had 95 % of its final speed.
std::size_t tried_until_near(const std::vector<Improvement>& improvements) {
  constexpr double near = 1 / 0.95;
  const double best = improvements.back().ms;
  return std::find_if(improvements.begin(), improvements.end(),
                      [&](const Improvement& each) { return each.ms <= near * best; })
      ->tried;
}

/// Whether the search that found the best is stored as a whole: bundled results leave out slow
/// configurations.
bool is_whole(const ProblemRecord& record) {
  if (!record.run) return true;
  const RunSummary& summary = record.run->result.summary;
  std::set<std::int64_t> stored;
  for (const SearchStep& step : record.steps) {
    if (step.run == record.run->result.run) stored.insert(step.config_row);
  }
  return std::ssize(stored) >= summary.tried - summary.reused;
}

bool is_guided(const ProblemRecord& record) {
  return record.past_runs.empty() ||
         std::any_of(record.past_runs.begin(), record.past_runs.end(),
                     [](const PastRun& run) { return run.strategy != "exhaustive"; });
}

std::string search_title(const ProblemRecord& record, const std::vector<Improvement>& improvements,
                         std::size_t tried) {
  const std::string all = counted(tried, "configuration");
  if (!is_whole(record)) return "The search: " + all + ", without those that are not stored";
  // In an exhaustive search, when a configuration came is chance.
  if (!is_guided(record)) return "An exhaustive search of " + all;
  return fmt::format("The search had 95 % of its final speed after {} of {}",
                     tried_until_near(improvements), all);
}

Figure search_figure(const KernelSpec& spec, const ProblemRecord& record,
                     const std::vector<Improvement>& improvements, std::size_t tried,
                     const ProblemPlace& place) {
  constexpr double slowest_shown = 4;  // times the best; slower ones lie on the edge
  std::vector<double> times;
  ChartLine line{"", {}};
  Table numbers({text_column("configurations tried"), text_column("best time so far"),
                 text_column("configuration")});
  for (const Improvement& each : improvements) {
    times.push_back(std::min(each.ms, slowest_shown * improvements.back().ms));
    const auto x = static_cast<double>(each.tried);
    if (!line.points.empty()) line.points.push_back({x, line.points.back().y});
    line.points.push_back({x, each.ms});
    numbers.row(
        {each.tried, Cell(each.ms).said(time_text(each.ms)), config_text(spec, each.step->config)});
  }
  line.points.push_back({static_cast<double>(tried), improvements.back().ms});
  Chart chart{search_title(record, improvements, tried),
              "",
              quantity_axis("configurations tried", "", {0, static_cast<double>(tried)}),
              quantity_axis("best time so far", "ms", times),
              {line}};
  chart.has_markers = false;
  chart.height = 300;
  const std::string description = fmt::format(
      "The best time so far falls from {} for the first right configuration to {} after {}.",
      time_text(improvements.front().ms), time_text(improvements.back().ms),
      counted(improvements.back().tried, "configuration"));
  Figure figure = chart_figure(place.id + "-search-chart", chart, description, numbers);
  figure.script = "search";
  figure.problem = place.index;
  return figure;
}

bool has_faster_ones(const ProblemRecord& record) {
  const double best = record.best.row.best.measurement.timing->median_ms;
  return std::any_of(record.speeds.begin(), record.speeds.end(),
                     [&](const ConfigSpeed& each) { return each.median_ms < best; });
}

/// The fastest configurations, which the page's script replaces by a table of all.
Table fastest_table(const KernelSpec& spec, const ProblemRecord& record) {
  constexpr std::size_t most = 10;
  std::vector<const ConfigSpeed*> fastest;
  for (const ConfigSpeed& speed : record.speeds) fastest.push_back(&speed);
  std::stable_sort(fastest.begin(), fastest.end(), [](const ConfigSpeed* a, const ConfigSpeed* b) {
    return a->median_ms < b->median_ms;
  });
  fastest.resize(std::min(most, fastest.size()));
  Table table({text_column("configuration"), text_column("time"), text_column("beside the best"),
               text_column("registers")});
  const double best = record.best.row.best.measurement.timing->median_ms;
  for (const ConfigSpeed* speed : fastest) {
    const double slower = speed->median_ms / best - 1;
    table.row({config_text(spec, speed->config),
               Cell(speed->median_ms).said(time_text(speed->median_ms)),
               Cell(slower).said(fmt::format("{:+.2f} %", 100 * slower)), speed->registers});
  }
  return table;
}

/// Each reason, without a limit on their number.
Table failure_table(const std::vector<FailureGroup>& failures) {
  Table table({text_column("configurations"), text_column("status"), text_column("reason")});
  for (const FailureGroup& group : failures) {
    table.row({group.count, to_string(group.status), group.reason});
  }
  return table;
}

std::vector<FailureGroup> failures_of(const std::vector<const SearchStep*>& steps) {
  std::vector<StoredMeasurement> failed;
  std::set<std::pair<std::int64_t, std::string>> seen;  // configurations and reasons
  for (const SearchStep* step : steps) {
    if (step->status == Status::ok || !seen.emplace(step->config_row, step->reason).second)
      continue;
    StoredMeasurement stored;
    stored.measurement.status = step->status;
    stored.measurement.reason = step->reason;
    failed.push_back(std::move(stored));
  }
  return group_failures(failed);
}

/// Those that failed included.
std::size_t count_configurations(const std::vector<const SearchStep*>& steps) {
  std::set<std::int64_t> rows;
  for (const SearchStep* step : steps) rows.insert(step->config_row);
  return rows.size();
}

std::string configurations_heading(const ProblemRecord& record) {
  std::vector<const SearchStep*> steps;
  for (const SearchStep& step : record.steps) steps.push_back(&step);
  const std::size_t count = count_configurations(steps);
  const std::string all = count == 1 ? "" : "All ";
  if (!is_whole(record)) return all + counted(count, "stored configuration");
  if (count > 1 && is_guided(record)) return "The " + counted(count, "configuration") + " tried";
  return all + counted(count, "configuration");
}

}  // namespace

std::string search_part(const KernelSpec& spec, const ProblemRecord& record,
                        const ProblemPlace& place) {
  std::string out = heading_element(4, place.id + "-search", "Search");
  const auto steps = search_steps(record);
  const auto improvements = find_improvements(steps);
  if (improvements.empty()) {
    out += paragraph("No search of this problem is stored.");
  } else if (steps.size() == 1) {
    out += paragraph("The search measured one configuration.");
  } else {
    out += figure_element(
        search_figure(spec, record, improvements, count_configurations(steps), place));
  }
  out += heading_element(5, place.id + "-failures", "Configurations that failed");
  const auto failures = failures_of(steps);
  out += failures.empty() ? paragraph("None.") : html_of(failure_table(failures));
  out += heading_element(5, place.id + "-configurations", configurations_heading(record));
  if (has_faster_ones(record)) {
    out += paragraph(
        "What is listed as a little faster is tied with the best, or was measured only in the "
        "search. Of those tied, the one with fewer registers and less shared memory is the best.");
  }
  out += fmt::format("<div data-draw=\"configurations\" data-problem=\"{}\">\n", place.index);
  if (record.speeds.size() > 10) out += paragraph("The fastest, and without scripts no others:");
  return out + html_of(fastest_table(spec, record)) + "</div>\n";
}

}  // namespace gtune
