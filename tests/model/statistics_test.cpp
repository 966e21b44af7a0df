#include "model/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

namespace gtune {
namespace {

TEST(Statistics, MedianOfOddAndEvenCounts) {
  EXPECT_DOUBLE_EQ(median(std::vector{3.0, 1.0, 2.0}), 2.0);
  EXPECT_DOUBLE_EQ(median(std::vector{4.0, 1.0, 3.0, 2.0}), 2.5);
  EXPECT_DOUBLE_EQ(median(std::vector{7.0}), 7.0);
}

TEST(Statistics, PercentileIsLinearBetweenSamples) {
  const std::vector<double> samples = {40, 10, 20, 30};
  EXPECT_DOUBLE_EQ(percentile(samples, 0), 10);
  EXPECT_DOUBLE_EQ(percentile(samples, 1), 40);
  EXPECT_DOUBLE_EQ(percentile(samples, 0.95), 38.5);
}

TEST(Statistics, NoSamplesAreRefused) {
  const std::vector<double> none;
  EXPECT_THROW((void)mean(none), std::invalid_argument);
  EXPECT_THROW((void)median(none), std::invalid_argument);
  EXPECT_THROW((void)median_interval(none), std::invalid_argument);
  EXPECT_THROW((void)summarise({}), std::invalid_argument);
}

// Ranks from tables of the sign test, counted from 1. n = 6: 1..6, 10: 2..9, 25: 8..18, 50: 18..33,
// 100: 40..61.
TEST(Statistics, IntervalTakesTheTabulatedRanks) {
  struct Case {
    int n, low, high;
  };
  for (const Case c :
       {Case{6, 1, 6}, Case{10, 2, 9}, Case{25, 8, 18}, Case{50, 18, 33}, Case{100, 40, 61}}) {
    std::vector<double> samples;
    for (int i = c.n; i > 0; --i) samples.push_back(i);
    const ConfidenceInterval interval = median_interval(samples);
    EXPECT_EQ(interval.low, c.low) << c.n;
    EXPECT_EQ(interval.high, c.high) << c.n;
  }
}

TEST(Statistics, IntervalOfFewSamplesSpansThemAll) {
  const ConfidenceInterval interval = median_interval(std::vector{3.0, 1.0, 2.0});
  EXPECT_EQ(interval.low, 1);
  EXPECT_EQ(interval.high, 3);
}

TEST(Statistics, IntervalOfVeryManySamplesDoesNotUnderflow) {
  std::vector<double> samples;
  for (int i = 0; i < 20000; ++i) samples.push_back(i);
  const ConfidenceInterval interval = median_interval(samples);
  EXPECT_NEAR(interval.low, 10000 - 0.98 * std::sqrt(20000), 2);
  EXPECT_NEAR(interval.high, 10000 + 0.98 * std::sqrt(20000), 2);
}

TEST(Statistics, IntervalHoldsTheMedianOfASkewedDistribution) {
  std::mt19937_64 random(1);
  int held = 0;
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> samples;
    for (int i = 0; i < 15; ++i) {
      const double uniform = static_cast<double>(random() >> 11) * 0x1p-53;
      samples.push_back(-std::log(1 - uniform));
    }
    const ConfidenceInterval interval = median_interval(samples);
    held += interval.low <= std::log(2.0) && std::log(2.0) <= interval.high;
  }
  EXPECT_GE(held, trials * 95 / 100);
}

TEST(Statistics, SummaryHasEveryNumberAndKeepsTheOrder) {
  const std::vector<double> samples = {1.2, 1.0, 1.1, 1.5, 1.3, 1.4, 2.0};
  const Timing timing = summarise(samples);
  EXPECT_EQ(timing.samples_ms, samples);
  EXPECT_DOUBLE_EQ(timing.median_ms, 1.3);
  EXPECT_DOUBLE_EQ(timing.min_ms, 1.0);
  EXPECT_DOUBLE_EQ(timing.p95_ms, 1.85);
  EXPECT_NEAR(timing.mean_ms, 9.5 / 7, 1e-12);
  EXPECT_DOUBLE_EQ(timing.ci_low_ms, 1.0);
  EXPECT_DOUBLE_EQ(timing.ci_high_ms, 2.0);
}

}  // namespace
}  // namespace gtune
