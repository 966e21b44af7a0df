#include "answer/best_report.hpp"
#include "answer/curves_chart.hpp"
#include "answer/energy_answer.hpp"
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
  expect_golden("best_table", best_table(matmul(), {exact, near}));
  exact.asked = exact.row.problem = square(512);
  expect_golden("best_table_of_one_device", best_table(matmul(), {exact, exact}));
  exact.row.best.measurement.timing->samples_ms.clear();
  expect_golden("best_without_samples", best_report(matmul(), {exact}));
}

TEST(Golden, TheLeastEnergyAndTheParetoFront) {
  const auto energy = [](std::int64_t id, const Config& config, double ms, double energy_mj) {
    return ConfigEnergy{
        made_up_gpu(),    square(4096), config, ms, {energy_mj, energy_mj / ms, 0, 0}, {},
        MeasurementId{id}};
  };
  const auto answers = energy_answers(
      {energy(1, config_of(128, 2), 2.5, 1000), energy(2, config_of(128, 1), 2.6, 900),
       energy(3, config_of(64, 2), 2.7, 950), energy(4, config_of(64, 1), 3, 800)},
      std::nullopt);
  expect_golden("least_energy",
                energy_answer_report(matmul(), answers, {Objective::energy, false}));
  expect_golden("pareto", energy_answer_report(matmul(), answers, {Objective::edp, true}));
}

TEST(EnergyAnswers, TimesWithAFlushedCacheComeBeforeWarmOnesOfTheSameProblem) {
  ConfigEnergy cold{made_up_gpu(), square(64), config_of(64, 1), 2, {}, {}, MeasurementId{1}};
  ConfigEnergy warm = cold;
  warm.mode.order = LaunchOrder::warm;
  warm.median_ms = 1;
  ConfigEnergy other = warm;
  other.problem = square(128);
  const auto all = energy_answers({warm, cold, other}, std::nullopt);
  ASSERT_EQ(all.size(), 2U);
  ASSERT_EQ(all[0].points.size(), 1U);
  EXPECT_EQ(all[0].points[0].ms, 2);
  EXPECT_EQ(all[1].mode, warm.mode);
  const auto only_warm = energy_answers({warm, cold, other}, warm.mode);
  ASSERT_EQ(only_warm.size(), 2U);
  EXPECT_EQ(only_warm[0].points.at(0).ms, 1);
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
  Config without_stages;
  without_stages.set("TILE", 128);
  add(square(4096), without_stages, 1, true);  // is in no table
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
