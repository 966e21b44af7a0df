#include "score/random_baseline.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "made_up_space.hpp"

namespace gtune {
namespace {

using test::Failing;
using test::made_up_space;

/// From the costs 1, 2, ..., 999 the expected best of n draws is 1000 / (n + 1). The methodology's
/// program takes the next better cost.
TEST(RandomBaseline, IsOneRankBetterThanTheExpectedBest) {
  const RandomBaseline baseline(made_up_space(999, Failing::none));
  for (const int draws : {1, 3, 9, 24}) {
    EXPECT_EQ(baseline.best_after(draws), 1000.0 / (draws + 1) - 1) << draws;
  }
  EXPECT_EQ(baseline.best_after(1e9), 1);
}

TEST(RandomBaseline, KnowsHowManyDrawsAShareOfTheWayTakes) {
  const RandomBaseline baseline(made_up_space(999, Failing::none));
  EXPECT_EQ(baseline.evaluations_until(0), 1);    // the median
  EXPECT_EQ(baseline.evaluations_until(0.5), 3);  // 250.5
  EXPECT_EQ(baseline.evaluations_until(0.9), 19);
}

TEST(RandomBaseline, ComparesAtEvenMomentsInTheTimeOfTheRecording) {
  const RandomBaseline baseline(made_up_space(999, Failing::none));
  EXPECT_EQ(baseline.median_evaluation_ms(), 2);
  const std::vector<double> moments = baseline.moments();
  ASSERT_EQ(moments.size(), 500U);
  EXPECT_EQ(moments.front(), 2 * baseline.evaluations_until(0.01));
  EXPECT_EQ(moments.back(), 2 * baseline.evaluations_until(0.95));
  EXPECT_TRUE(std::is_sorted(moments.begin(), moments.end()));
}

TEST(RandomBaseline, ScoresRandomSearchWith0AndTheOptimumWith1) {
  const RandomBaseline baseline(made_up_space(999, Failing::none));
  const std::vector<double> moments = baseline.moments();
  std::vector<double> random;
  for (const double ms : moments) {
    random.push_back(baseline.best_after(ms / baseline.median_evaluation_ms()));
  }
  EXPECT_DOUBLE_EQ(baseline.score(random), 0);
  EXPECT_DOUBLE_EQ(baseline.score(std::vector<double>(moments.size(), 1.0)), 1);
  EXPECT_LT(baseline.score(std::vector<double>(moments.size(), 900.0)), -1);
}

TEST(RandomBaseline, FailuresHaveNoCost) {
  const RandomBaseline baseline(made_up_space(10));  // 1 2 3 4 6 7 8 9
  EXPECT_EQ(baseline.best_after(0), 9);
  EXPECT_EQ(baseline.best_after(1000), 1);
}

}  // namespace
}  // namespace gtune
