#include <fmt/format.h>

#include <algorithm>

#include "model/words.hpp"
#include "page/figure.hpp"
#include "page/problem_parts.hpp"
#include "report/document_html.hpp"
#include "report/timing_text.hpp"

namespace gtune {
namespace {

constexpr std::size_t k_shown_of_a_hash = 12;
constexpr std::size_t k_date = 10;  // of "2025-01-31T09:30:00.123Z"

/// The runs that found a best in the same timing mode.
std::vector<const PastRun*> comparable_runs(const ProblemRecord& record) {
  std::vector<const PastRun*> runs;
  for (const PastRun& run : record.past_runs) {
    if (run.best_ms && run.key.mode == record.best.row.mode) runs.push_back(&run);
  }
  return runs;
}

Table runs_table(const std::vector<const PastRun*>& runs) {
  Table table({text_column("started"), text_column("best time"), text_column("budget"),
               text_column("strategy"), text_column("space"), text_column("source and spec"),
               text_column("gtune"), text_column("driver"), text_column("compiler")});
  for (const PastRun* run : runs) {
    table.row(
        {run->started, Cell(*run->best_ms).said(time_text(*run->best_ms)), run->budget,
         run->strategy, run->whole_space ? "whole" : "narrowed",
         (run->same_source ? "current " : "other ") + run->source_hash.substr(0, k_shown_of_a_hash),
         run->toolchain.gtune, run->toolchain.driver, run->toolchain.nvrtc});
  }
  return table;
}

/// Dates at the ends only: between them, there is no room.
ChartAxis runs_axis(const std::vector<const PastRun*>& runs) {
  std::vector<std::string> words(runs.size());
  ChartAxis axis = word_axis("run", words);
  axis.ticks.front().text = runs.front()->started.substr(0, k_date);
  axis.ticks.back().text = runs.back()->started.substr(0, k_date);
  return axis;
}

/// Says a change only between runs that searched the whole space: others may miss its best.
std::string history_title(const std::vector<const PastRun*>& runs) {
  std::vector<double> times;
  for (const PastRun* run : runs) {
    if (run->whole_space) times.push_back(*run->best_ms);
  }
  if (times.size() < 2) return "The best time of each run; narrowed spaces do not compare";
  return fmt::format("The best time went from {} to {} ({:+.1f} %) in {} of the whole space",
                     time_text(times.front()), time_text(times.back()),
                     100 * (times.back() / times.front() - 1), counted(times.size(), "run"));
}

std::vector<ChartLine> history_lines(const std::vector<const PastRun*>& runs) {
  ChartLine whole{"whole space", {}};
  ChartLine narrowed{"narrowed space", {}, {}, LineStyle::points};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const PastRun& run = *runs[i];
    (run.whole_space ? whole : narrowed)
        .points.push_back(
            {static_cast<double>(i), *run.best_ms, run.started + ": " + time_text(*run.best_ms)});
  }
  if (narrowed.points.empty()) whole.name.clear();  // no legend
  std::vector<ChartLine> lines = {std::move(whole), std::move(narrowed)};
  std::erase_if(lines, [](const ChartLine& line) { return line.points.empty(); });
  return lines;
}

}  // namespace

std::string history_part(const KernelSpec&, const ProblemRecord& record,
                         const ProblemPlace& place) {
  const std::vector<const PastRun*> runs = comparable_runs(record);
  if (runs.size() < 2) return "";
  std::vector<double> times;
  for (const PastRun* run : runs) times.push_back(*run->best_ms);
  Chart chart{history_title(runs), "", runs_axis(runs), quantity_axis("best time", "ms", times),
              history_lines(runs)};
  chart.height = 260;
  std::string description = "The best time of each run:";
  for (const PastRun* run : runs) {
    description += " " + run->started.substr(0, k_date) + " " + time_text(*run->best_ms) + ";";
  }
  return heading_element(4, place.id + "-history", "History") +
         figure_element(
             chart_figure(place.id + "-history-chart", chart, description, runs_table(runs)));
}

}  // namespace gtune
