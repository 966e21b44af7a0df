#include "score/score_report.hpp"

#include <fmt/format.h>

namespace gtune {
namespace {

double mean_methodology(const std::vector<SpaceScore>& scores, std::size_t strategy) {
  double sum = 0;
  for (const SpaceScore& score : scores) sum += score.strategies[strategy].methodology;
  return sum / static_cast<double>(scores.size());
}

Cell score_cell(double value) { return Cell(value).said(fmt::format("{:.3f}", value)); }

/// For text: evaluations until a share of the runs came near the optimum.
Table strategy_table(const SpaceScore& score, const ScoreSettings& settings) {
  const std::string many = fmt::format(">{}", settings.evaluations);
  std::vector<Column> columns = {text_column("evaluations until")};
  for (const Reached& reached : score.strategies.front().reached) {
    const double percent = 100 * reached.of_optimum;
    columns.push_back(text_column(fmt::format("{:.0f} % of optimum: in 50 % of runs", percent)));
    columns.push_back(text_column("in 90 %"));
  }
  columns.push_back(text_column("ends by itself after"));
  columns.push_back(text_column("mean loss"));
  columns.push_back(text_column("worst"));
  columns.push_back(text_column("score"));
  columns.push_back(text_column("CPU ms"));
  Table table(std::move(columns));
  for (const StrategyScore& strategy : score.strategies) {
    std::vector<Cell> cells = {strategy.strategy};
    for (const Reached& reached : strategy.reached) {
      cells.push_back(Cell(reached.half_of_runs).or_said(many));
      cells.push_back(Cell(reached.nine_tenths_of_runs).or_said(many));
    }
    const std::optional<OwnEnds>& ends = strategy.own_ends;
    using Loss = std::optional<double>;
    cells.push_back(ends ? Cell(ends->median_evaluations) : Cell().said("never"));
    cells.emplace_back(Quantity{ends ? Loss(ends->mean_loss) : Loss(), "share"});
    cells.emplace_back(Quantity{ends ? Loss(ends->worst_loss) : Loss(), "share"});
    cells.push_back(score_cell(strategy.methodology));
    cells.push_back(score_cell(strategy.cpu_ms));
    table.row(std::move(cells));
  }
  return table;
}

/// For JSON.
Document strategy_part(const StrategyScore& score) {
  Table reached(
      {json_column("of_optimum"), json_column("half_of_runs"), json_column("nine_tenths_of_runs")});
  for (const Reached& each : score.reached) {
    reached.row({each.of_optimum, each.half_of_runs, each.nine_tenths_of_runs});
  }
  std::vector<Cell> curve;
  for (const CurvePoint& point : score.curve) {
    curve.emplace_back(std::vector<Cell>{point.tenth, point.median, point.nine_tenths});
  }
  Document ends;
  if (score.own_ends) {
    ends.data("runs", score.own_ends->runs)
        .data("median_evaluations", score.own_ends->median_evaluations)
        .data("mean_loss", score.own_ends->mean_loss)
        .data("worst_loss", score.own_ends->worst_loss);
  }
  return Document()
      .data("strategy", score.strategy)
      .data("methodology_score", score.methodology)
      .data("cpu_ms_per_evaluation", score.cpu_ms)
      .part(std::move(ends), "ends_by_itself")
      .table(reached.key("reached"))
      .data("curve", std::move(curve));
}

}  // namespace

Document space_score_report(const SpaceScore& score, const ScoreSettings& settings) {
  std::vector<Document> strategies;
  for (const StrategyScore& each : score.strategies) strategies.push_back(strategy_part(each));
  return Document(
             fmt::format(
                 "{}: {} configurations, {} of them fail, optimum {}; {} seeds, {} outstanding",
                 score.space, score.configurations, score.failing,
                 Cell(Quantity{score.optimum_ms, "ms"}).text(), settings.seeds,
                 settings.outstanding))
      .data("space", score.space)
      .data("configurations", score.configurations)
      .data("failing", score.failing)
      .data("optimum_ms", score.optimum_ms)
      .table(strategy_table(score, settings))
      .parts(std::move(strategies), "strategies");
}

Document mean_score_report(const std::vector<SpaceScore>& scores) {
  Document out(fmt::format("mean score over {} spaces", scores.size()));
  for (std::size_t s = 0; s < scores.front().strategies.size(); ++s) {
    const std::string& name = scores.front().strategies[s].strategy;
    out.fact(name, name, score_cell(mean_methodology(scores, s)));
  }
  return out;
}

Document score_report(const std::vector<SpaceScore>& scores, const ScoreSettings& settings) {
  std::vector<Document> spaces;
  for (const SpaceScore& score : scores) spaces.push_back(space_score_report(score, settings));
  return Document()
      .data("seeds", settings.seeds)
      .data("evaluations", settings.evaluations)
      .data("outstanding", settings.outstanding)
      .parts(std::move(spaces), "spaces")
      .part(mean_score_report(scores), "mean_methodology_score");
}

}  // namespace gtune
