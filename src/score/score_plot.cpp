#include "score/score_plot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/chart.hpp"

namespace gtune {
namespace {

constexpr double lowest_share = 0.4;  // slower results lie on the lower edge

/// The points at which a curve bends; most of it is flat.
std::vector<ChartPoint> bends(const std::vector<CurvePoint>& curve, double CurvePoint::*quantile) {
  std::vector<ChartPoint> out;
  for (std::size_t n = 0; n < curve.size(); ++n) {
    const bool inside = n > 0 && n + 1 < curve.size();
    if (inside && curve[n].*quantile == curve[n - 1].*quantile &&
        curve[n].*quantile == curve[n + 1].*quantile) {
      continue;
    }
    out.push_back({static_cast<double>(n) + 1, curve[n].*quantile});
  }
  return out;
}

ChartLine strategy_line(const StrategyScore& score) {
  std::vector<ChartPoint> band = bends(score.curve, &CurvePoint::nine_tenths);
  const std::vector<ChartPoint> lower = bends(score.curve, &CurvePoint::tenth);
  band.insert(band.end(), lower.rbegin(), lower.rend());
  return {score.strategy, bends(score.curve, &CurvePoint::median), std::move(band)};
}

Chart space_chart(const SpaceScore& score) {
  const std::size_t evaluations = std::max<std::size_t>(score.strategies.front().curve.size(), 2);
  ChartAxis x{"evaluations", true, 1, static_cast<double>(evaluations), {}};
  for (const double at : decimal_steps(x.low, x.high)) {
    x.ticks.push_back({at, fmt::format("{:.0f}", at)});
  }
  ChartAxis y{"best so far, % of the optimum's speed", false, lowest_share, 1, {}};
  for (const int percent : {40, 50, 60, 70, 80, 90, 95, 100}) {
    y.ticks.push_back({percent / 100.0, std::to_string(percent)});
  }
  Chart chart{fmt::format("{}: {} configurations, optimum {:.4g} ms", score.space,
                          score.configurations, score.optimum_ms),
              "",
              std::move(x),
              std::move(y),
              {}};
  for (const StrategyScore& each : score.strategies) chart.lines.push_back(strategy_line(each));
  chart.legend = "strategy";
  chart.has_markers = false;
  chart.height = 340;
  return chart;
}

}  // namespace

std::string score_plot(const std::vector<SpaceScore>& scores) {
  std::vector<Chart> charts;
  for (const SpaceScore& score : scores) charts.push_back(space_chart(score));
  return svg_of(charts,
                "For each space, the best result so far of each search strategy, as a share of the "
                "optimum, over the number of evaluations. Lines are medians over the runs; bands "
                "reach from the 10th to the 90th percentile.");
}

}  // namespace gtune
