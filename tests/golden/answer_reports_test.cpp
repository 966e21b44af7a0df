#include "answer/best_report.hpp"
#include "answer/curves_chart.hpp"
#include "answer/leave_out.hpp"
#include "answer/pair_table.hpp"
#include "golden/golden.hpp"
#include "golden/values.hpp"

namespace gtune::test {
namespace {

TEST(Golden, TheBestKnown) {
  Answer exact;
  exact.asked = square(4096);
  exact.config = config_of(128, 2);
  exact.row = best_row(square(4096), exact.config, 2.53);
  Answer near;
  near.tier = Tier::expected;
  near.bundled = true;
  near.asked = {{"M", 4001}, {"N", 4001}, {"K", 513}, {"T", 0}};
  near.config = config_of(64, 2);
  near.row = best_row(square(4096), config_of(64, 3), 0.0126);
  near.row.device.replayed = true;
  near.row.verified = near.row.complete = false;
  near.row.mode.order = LaunchOrder::warm;
  near.row.gflops = near.row.gbps = std::nullopt;
  near.expected = ExpectedTime{0.0131, 0.0812};
  expect_golden("best", best_report(matmul(), {exact, near}));
}

TEST(Golden, TheBestOfEachPairOfValues) {
  std::vector<ConfigSpeed> speeds;
  const auto add = [&](const Problem& problem, const Config& config, double ms, bool known) {
    ConfigSpeed speed{made_up_gpu(),
                      problem,
                      config,
                      ms,
                      {},
                      {},
                      {},
                      {},
                      known ? TimingMode{} : TimingMode{LaunchOrder::warm}};
    if (known) speed.gflops = 1e5 / ms;
    speeds.push_back(speed);
  };
  add(square(4096), config_of(128, 2), 2.5, true);
  add(square(4096), config_of(128, 1), 2.75, true);
  add(square(4096), config_of(64, 2), 3, true);
  add(square(512), config_of(64, 2), 0.0301, false);
  expect_golden("pairs", pair_report(matmul(), pair_tables(speeds, "TILE", "STAGES")));
}

TEST(Golden, APlotOfTheBestOfEachSize) {
  std::vector<ConfigSpeed> speeds;
  for (const std::int64_t m : {256, 1024, 4096, 16384}) {
    for (const std::int64_t t : {0, 1}) {
      const double seconds =
          2e-6 + 2e-9 * static_cast<double>(m * m) * static_cast<double>(m) / 5e4;
      const double ms = seconds * (t == 0 ? 1e3 : 1.3e3);
      speeds.push_back(
          {made_up_gpu(), square(m, t), config_of(m < 2000 ? 64 : 128, 2), ms, {}, {}, {}, {}, {}});
      speeds.back().gflops = 2e-6 * static_cast<double>(m * m * m) / ms;
    }
  }
  const BestCurves curves = best_curves(matmul(), parse_plot_axes(matmul(), "M,GFLOP/s,T"), speeds,
                                        [](const ConfigSpeed&) { return std::vector<Metric>(); });
  expect_golden("plot.svg", svg_of({curves_chart(matmul(), curves, speeds)},
                                   curves_description(matmul(), curves)));
}

TEST(Golden, WhatLeavingOutASizeLoses) {
  LeaveOutReport report;
  const Winner large = winner(square(4096), config_of(128, 2), 2.53);
  const Winner small = winner(square(512), config_of(64, 2), 0.03);
  report.each = {
      {large, config_of(64, 2), 0.0345}, {small, config_of(128, 2), std::nullopt}, {small, {}, {}}};
  report.subsets = 100;
  report.subset_losses = {0, 0.01, 0.02, 0.05, 0.3};
  report.unmeasured = 2;
  report.errors = {0.01, 0.02, 0.04, 0.11};
  expect_golden("leave_one_out", leave_out_report(matmul(), report));
}

}  // namespace
}  // namespace gtune::test
