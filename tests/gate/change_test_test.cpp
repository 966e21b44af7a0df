// The rule that turns rounds into verdicts: its quantiles, its coverage and its rates of errors in
// simulations, with the spreads between processes that an H200 showed.
#include "gate/change_test.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <stdexcept>

#include "gate/student_t.hpp"

namespace gtune {
namespace {

TEST(StudentT, QuantilesAreThoseOfTables) {
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
  EXPECT_NEAR(student_t_quantile(0.025, 1), 12.706, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.005, 3), 5.841, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.001, 10), 4.144, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.05, 30), 1.697, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.025, 100), 1.984, 5e-4);
}

TEST(StudentT, TheTailOfTheQuantileIsTheProbability) {
  for (const double degrees : {0.7, 1.0, 2.5, 7.0, 40.0, 1e5}) {
    for (const double tail : {0.5, 0.1, 0.01, 1e-4, 1e-6}) {
      EXPECT_NEAR(student_t_tail(student_t_quantile(tail, degrees), degrees), tail, 1e-9 * tail)
          << degrees << ' ' << tail;
    }
  }
}

TEST(ChangeTest, LooksBecomeRarerAndEndWithTheLastRound) {
  EXPECT_EQ(looks(24), (std::vector<int>{4, 6, 9, 13, 19, 24}));
  EXPECT_EQ(looks(4), std::vector<int>{4});
  EXPECT_EQ(looks(5), (std::vector<int>{4, 5}));
}

/// The verdict on stored rounds of 1 ms and new ones, all exactly of these times.
GateVerdict verdict_without_spread(double now_ms, GateTerms terms = {}) {
  ChangeTest test(terms, std::vector<double>(8, 1.0));
  while (!test.ended()) test.add_to_stored(now_ms);
  EXPECT_EQ(test.rounds(), ChangeTest::first_look);
  return test.verdict();
}

TEST(ChangeTest, EqualRoundsWithoutAnySpreadAreTheSame) {
  EXPECT_EQ(verdict_without_spread(1), GateVerdict::same);
  ChangeTest pairs{GateTerms{}};
  while (!pairs.ended()) pairs.add_pair(2, 2);
  EXPECT_EQ(pairs.verdict(), GateVerdict::same);
  EXPECT_LT(pairs.change().low, 0);
  EXPECT_GT(pairs.change().high, 0);
}

TEST(ChangeTest, HalfTheThresholdIsWhereAChangeBeginsToCount) {
  EXPECT_EQ(verdict_without_spread(1.0049), GateVerdict::same);
  EXPECT_EQ(verdict_without_spread(1.0051), GateVerdict::slower);
  EXPECT_EQ(verdict_without_spread(0.9949), GateVerdict::faster);
  GateTerms coarse;
  coarse.threshold = 0.05;
  EXPECT_EQ(verdict_without_spread(1.02, coarse), GateVerdict::same);
  EXPECT_EQ(verdict_without_spread(1.03, coarse), GateVerdict::slower);
}

TEST(ChangeTest, TooMuchSpreadIsUnsureWhenTheRoundsAreUsedUp) {
  const std::vector<double> wild = {1, 1.2, 0.9, 1.3, 1.1, 0.8};
  ChangeTest test({}, wild);
  for (std::size_t i = 0; !test.ended(); ++i) test.add_to_stored(wild[i % wild.size()]);
  EXPECT_EQ(test.verdict(), GateVerdict::unsure);
  EXPECT_EQ(test.rounds(), GateTerms{}.most_rounds);
  EXPECT_LT(test.change().low, -0.01);
  EXPECT_GT(test.change().high, 0.01);
}

TEST(ChangeTest, NewRoundsThatAgreeByChanceDoNotHideTheSpreadOfTheStoredOnes) {
  ChangeTest test({}, {1, 1.02, 0.98, 1.01, 0.99, 1.02, 0.98, 1});
  for (int i = 0; i < ChangeTest::first_look; ++i) test.add_to_stored(1.012);
  EXPECT_EQ(test.verdict(), GateVerdict::unsure);
}

TEST(ChangeTest, PairsCancelADriftOfTheClock) {
  ChangeTest test{GateTerms{}};
  for (double drift = 1; !test.ended(); drift *= 1.03) test.add_pair(drift, 1.02 * drift);
  EXPECT_EQ(test.verdict(), GateVerdict::slower);
  EXPECT_NEAR(test.change().estimate, 0.02, 1e-12);
}

TEST(ChangeTest, RefusesTimesThatAreNone) {
  EXPECT_THROW(ChangeTest({}, {1, 1, 1}), std::invalid_argument);
  EXPECT_THROW(ChangeTest({}, {1, 1, 1, 0}), std::invalid_argument);
  ChangeTest test{GateTerms{}};
  EXPECT_THROW(test.add_pair(1, -1), std::invalid_argument);
  EXPECT_THROW(test.add_pair(std::nan(""), 1), std::invalid_argument);
}

/// A random relative deviation of a process; its scale is the standard deviation.
using Deviation = std::function<double(std::mt19937_64&, double scale)>;

double normal(std::mt19937_64& random, double scale) {
  return scale * std::normal_distribution<double>()(random);
}

/// Two placements of the buffers, one of them in three processes of ten.
double two_modes(std::mt19937_64& random, double scale) {
  const bool slow = std::bernoulli_distribution(0.3)(random);
  return scale * ((slow ? 0.7 : -0.3) / std::sqrt(0.21) + 0.2 * normal(random, 1));
}

/// One process of ten is disturbed.
double outliers(std::mt19937_64& random, double scale) {
  const bool disturbed = std::bernoulli_distribution(0.1)(random);
  return scale * (0.6 * normal(random, 1) + (disturbed ? 3 : 0));
}

struct Rates {
  std::map<GateVerdict, double> of;
  double missed = 0;  // intervals without the true change
  double rounds = 0;  // on average
};

/// `stored` rounds in each file, or none: pairs. `range`: of twelve processes, as it was measured.
Rates simulate(int stored, double range, double change, const Deviation& deviation, int checks) {
  constexpr double range_of_twelve = 3.258;  // expected, in standard deviations of a normal one
  const double scale = range / range_of_twelve;
  std::mt19937_64 random(1);
  const auto round = [&] { return std::exp(deviation(random, scale)); };
  Rates rates;
  for (int i = 0; i < checks; ++i) {
    std::vector<double> file(static_cast<std::size_t>(stored));
    std::generate(file.begin(), file.end(), round);
    ChangeTest test = stored > 0 ? ChangeTest({}, file) : ChangeTest(GateTerms{});
    while (!test.ended()) {
      const double now = (1 + change) * round();
      stored > 0 ? test.add_to_stored(now) : test.add_pair(round(), now);
    }
    rates.of[test.verdict()] += 1.0 / checks;
    rates.rounds += test.rounds() * 1.0 / checks;
    const bool missed = test.change().low > change || test.change().high < change;
    rates.missed += (missed ? 1.0 : 0.0) / checks;
  }
  return rates;
}

constexpr int stored_rounds = 20;                           // what `save` takes
constexpr double ranges[] = {0.0016, 0.007, 0.017, 0.019};  // of sgemm, copy, sgemm, transpose

/// The rates of the rule with stored times (true) and with pairs (false).
class SimulatedChecks : public ::testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] static Rates simulated(double range, double change,
                                       const Deviation& deviation = normal, int checks = 1000) {
    return simulate(GetParam() ? stored_rounds : 0, range, change, deviation, checks);
  }
};

TEST_P(SimulatedChecks, AnUnchangedKernelIsSlowerInLessThanOneCheckOfTwoHundred) {
  for (const double range : ranges) {
    for (const Deviation& deviation : {Deviation(normal), Deviation(two_modes)}) {
      const Rates rates = simulated(range, 0, deviation, 2500);
      EXPECT_LE(rates.of.contains(GateVerdict::slower) ? rates.of.at(GateVerdict::slower) : 0,
                0.005)
          << range;
      EXPECT_GE(rates.of.at(GateVerdict::same), 0.9) << range;
    }
  }
}

TEST_P(SimulatedChecks, OutliersMakeAnUnchangedKernelUnsureNotSlower) {
  for (const double range : ranges) {
    Rates rates = simulated(range, 0, outliers);
    EXPECT_LE(rates.of[GateVerdict::slower], 0.005) << range;
  }
}

TEST_P(SimulatedChecks, OnePercentIsFoundInNineChecksOfTen) {
  for (const double range : ranges) {
    EXPECT_GE(simulated(range, 0.01).of.at(GateVerdict::slower), 0.9) << range;
  }
}

TEST_P(SimulatedChecks, TwoAndFivePercentAreAlwaysFound) {
  for (const double range : ranges) {
    EXPECT_GE(simulated(range, 0.02).of.at(GateVerdict::slower), 0.999) << range;
    EXPECT_NEAR(simulated(range, 0.05).of.at(GateVerdict::slower), 1, 1e-9) << range;
  }
}

TEST_P(SimulatedChecks, ImprovementsAreFoundAsSlowdownsAre) {
  EXPECT_GE(simulated(0.007, -0.02).of.at(GateVerdict::faster), 0.999);
}

TEST_P(SimulatedChecks, IntervalsOfAllLooksTogetherHaveTheirConfidence) {
  for (const double range : {0.007, 0.019}) {
    for (const double change : {0.0, 0.003, 0.01}) {
      EXPECT_LE(simulated(range, change, normal, 2000).missed, 0.0125) << range << ' ' << change;
    }
  }
}

TEST_P(SimulatedChecks, QuietKernelsNeedFewRounds) {
  EXPECT_LT(simulated(0.0016, 0).rounds, 4.5);
  EXPECT_LT(simulated(0.007, 0).rounds, 8);
}

INSTANTIATE_TEST_SUITE_P(Gate, SimulatedChecks, ::testing::Bool(),
                         [](const auto& of) { return of.param ? "WithStoredTimes" : "InPairs"; });

}  // namespace
}  // namespace gtune
