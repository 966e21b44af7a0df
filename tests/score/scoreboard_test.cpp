#include "score/scoreboard.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>

#include "made_up_space.hpp"

namespace gtune {
namespace {

using test::Failing;
using test::made_up_space;
using test::never;

ScoreSettings settings_of(const std::vector<std::string>& strategies, std::size_t seeds) {
  ScoreSettings settings;
  settings.strategies = strategies;
  settings.seeds = seeds;
  return settings;
}

TEST(Scoreboard, DescribesTheSpace) {
  const auto score = score_space(made_up_space(60), settings_of({"random"}, 2), never);
  ASSERT_TRUE(score);
  EXPECT_EQ(score->space, "made up");
  EXPECT_EQ(score->configurations, 60U);
  EXPECT_EQ(score->failing, 12U);
  EXPECT_EQ(score->optimum_ms, 1);
}

/// The expectation is known: one of n configurations is the best, so half of all random orders meet
/// it within n / 2 evaluations.
TEST(Scoreboard, RandomSearchNeedsAsManyEvaluationsAsChanceSays) {
  const int count = 168;
  const auto score =
      score_space(made_up_space(count, Failing::none), settings_of({"random"}, 400), never);
  ASSERT_TRUE(score);
  const StrategyScore& random = score->strategies.at(0);
  const Reached& nearly_best = random.reached.at(1);
  EXPECT_EQ(nearly_best.of_optimum, 0.99);
  EXPECT_NEAR(static_cast<double>(nearly_best.half_of_runs.value()), count / 2.0, 20);
  EXPECT_NEAR(static_cast<double>(nearly_best.nine_tenths_of_runs.value()), count * 0.9, 12);
  EXPECT_NEAR(random.methodology, 0, 0.35);
}

TEST(Scoreboard, EveryRunHasTheBestAfterTheWholeSpace) {
  const auto score =
      score_space(made_up_space(30), settings_of({"random", "annealing"}, 10), never);
  ASSERT_TRUE(score);
  ASSERT_EQ(score->strategies.size(), 2U);
  for (const StrategyScore& strategy : score->strategies) {
    ASSERT_EQ(strategy.curve.size(), 30U) << strategy.strategy;
    EXPECT_EQ(strategy.curve.back().tenth, 1.0) << strategy.strategy;
    for (std::size_t i = 0; i < strategy.curve.size(); ++i) {
      EXPECT_LE(strategy.curve[i].tenth, strategy.curve[i].median);
      EXPECT_LE(strategy.curve[i].median, strategy.curve[i].nine_tenths);
      EXPECT_GE(strategy.curve[i].median, strategy.curve[i == 0 ? 0 : i - 1].median);
    }
  }
}

TEST(Scoreboard, WhatTooFewRunsReachedIsAbsent) {
  ScoreSettings settings = settings_of({"random"}, 50);
  settings.evaluations = 10;  // of 1000: one run in a hundred meets the best
  const auto score = score_space(made_up_space(1000, Failing::none), settings, never);
  ASSERT_TRUE(score);
  EXPECT_FALSE(score->strategies[0].reached[0].half_of_runs);
  EXPECT_FALSE(score->strategies[0].reached[0].nine_tenths_of_runs);
  EXPECT_EQ(score->strategies[0].curve.size(), 10U);
}

TEST(Scoreboard, DependsOnSeedsAloneAndNotOnThreads) {
  const auto shares = [](std::size_t threads) {
    ScoreSettings settings = settings_of({"random", "genetic"}, 7);
    settings.evaluations = 60;
    settings.outstanding = 5;
    settings.threads = threads;
    std::vector<double> all;
    const SpaceScore score = score_space(made_up_space(200), settings, never).value();
    for (const StrategyScore& strategy : score.strategies) {
      all.push_back(strategy.methodology);
      for (const CurvePoint& point : strategy.curve) {
        all.insert(all.end(), {point.tenth, point.median, point.nine_tenths});
      }
    }
    return all;
  };
  EXPECT_EQ(shares(1), shares(3));
}

TEST(Scoreboard, AnInterruptLeavesNothing) {
  std::atomic<int> calls = 0;
  ScoreSettings settings = settings_of({"random"}, 100);
  settings.threads = 3;
  EXPECT_FALSE(score_space(made_up_space(100), settings, [&] { return ++calls > 50; }));
}

TEST(Scoreboard, WhatOneThreadThrowsEndsAll) {
  ScoreSettings settings = settings_of({"random"}, 20000);
  settings.evaluations = 10;
  settings.threads = 4;
  std::atomic<int> calls = 0;
  const auto out_of_memory = [&]() -> bool {
    if (++calls == 20) throw std::bad_alloc();
    return false;
  };
  const RecordedSpace space = made_up_space(60);
  EXPECT_THROW((void)score_space(space, settings, out_of_memory), std::bad_alloc);
  EXPECT_LT(calls, 100000);  // of more than 200000
}

}  // namespace
}  // namespace gtune
