#include "measure/stopping_rule.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

using Verdict = StoppingRule::Verdict;

/// Samples of a kernel that takes `ms`; every other one takes longer by the fraction `noise`.
StoppingRule run(SamplingOptions options, double ms, double noise) {
  StoppingRule rule(options);
  for (int i = 0; rule.verdict() == Verdict::more && i < 1000;) {
    for (int left = rule.batch_size(); left > 0; --left, ++i) rule.add(ms * (1 + noise * (i % 2)));
  }
  return rule;
}

TEST(StoppingRule, SteadyKernelStopsAtTheMinimum) {
  const StoppingRule rule = run({}, 0.1, 0.001);
  EXPECT_EQ(rule.verdict(), Verdict::converged);
  EXPECT_EQ(rule.samples().size(), 7U);
}

TEST(StoppingRule, NoisyKernelStopsAtTheMaximum) {
  const StoppingRule rule = run({}, 0.1, 0.1);
  EXPECT_EQ(rule.verdict(), Verdict::limit);
  EXPECT_EQ(rule.samples().size(), 50U);
}

TEST(StoppingRule, TimeIsALimitEvenBelowTheMinimum) {
  const StoppingRule rule = run({}, 400, 0.001);
  EXPECT_EQ(rule.verdict(), Verdict::limit);
  EXPECT_EQ(rule.samples().size(), 3U);
}

TEST(StoppingRule, BatchesFitIntoTheTimeLeft) {
  const StoppingRule rule = run({}, 45, 0.1);
  EXPECT_EQ(rule.verdict(), Verdict::limit);
  double total = 0;
  for (const double sample : rule.samples()) total += sample;
  EXPECT_GE(total, 1000);
  EXPECT_LT(total, 1000 + 2 * 50);
}

TEST(StoppingRule, AsksForEarlyDiscardsSamplesFirst) {
  StoppingRule rule;
  EXPECT_EQ(rule.verdict(), Verdict::more);
  EXPECT_EQ(rule.batch_size(), 3);
  for (int i = 0; i < 3; ++i) rule.add(1);
  EXPECT_EQ(rule.batch_size(), 4);
}

TEST(StoppingRule, NeverConvergesWithoutAnInterval) {
  const StoppingRule rule = run({.first_batch = 1, .min_samples = 1}, 1, 0);
  EXPECT_EQ(rule.verdict(), Verdict::converged);
  EXPECT_EQ(rule.samples().size(), 6U);
}

TEST(StoppingRule, ZeroTimesOfACoarseTimerConverge) {
  EXPECT_EQ(run({}, 0, 0).verdict(), Verdict::converged);
}

TEST(StoppingRule, FewerThanTheMinimumWhereTheMaximumSaysSo) {
  const StoppingRule rule = run({.max_samples = 2}, 1, 0);
  EXPECT_EQ(rule.verdict(), Verdict::limit);
  EXPECT_EQ(rule.samples().size(), 2U);
}

}  // namespace
}  // namespace gtune
