#include "report/portfolio.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gtune {
namespace {

/// Three problems; A = 2 is within 2 % of the best on two of them.
class Portfolios : public testing::Test {
 protected:
  Portfolios() {
    add(100, {{1, 1.0}, {2, 1.02}, {3, 2.0}});
    add(200, {{1, 3.0}, {2, 2.0}, {3, 4.0}});
    add(900, {{1, 9.0}, {3, 5.0}});  // A = 2 was not measured
  }

  void add(std::int64_t n, const std::vector<std::pair<std::int64_t, double>>& times) {
    Winner best;
    best.median_ms = 1e9;
    for (const auto& [a, ms] : times) {
      ConfigSpeed speed;
      speed.device.name = "One";
      speed.problem = {{"n", n}};
      speed.config = {{"A", a}};
      speed.median_ms = ms;
      if (ms < best.median_ms) best = {{}, speed.device, speed.problem, speed.config, ms};
      speeds.push_back(speed);
    }
    winners.push_back(best);
  }

  [[nodiscard]] Portfolio choose(std::size_t most, double loss) const {
    return choose_portfolio(winners, speeds, {most, loss},
                            [](const Config&, const Winner&) { return true; });
  }

  std::vector<Winner> winners;
  std::vector<ConfigSpeed> speeds;
};

TEST_F(Portfolios, WithoutLimitsHoldEveryWinner) {
  const Portfolio all = choose(0, 0);
  EXPECT_EQ(all.variants.size(), 3U);
  for (const Served& served : all.served) {
    EXPECT_EQ(served.loss, 0.0);
    EXPECT_EQ(all.variants[served.variant], served.winner.config);
  }
}

TEST_F(Portfolios, WithoutALossNoOtherStandsInThatTies) {
  add(400, {{1, 3.0}, {4, 3.0}});  // the best is A = 1, which is another problem's, too
  add(401, {{4, 3.0}, {1, 3.0}});
  const Portfolio all = choose(0, 0);
  EXPECT_EQ(all.variants.size(), 4U);
  for (const Served& served : all.served) {
    EXPECT_EQ(all.variants[served.variant], served.winner.config);
    EXPECT_EQ(served.loss, 0.0);
  }
  EXPECT_EQ(all.steps.back().worst_loss, 0);
  const Portfolio few = choose(0, 0.001);
  EXPECT_EQ(few.variants.size(), 3U);
  EXPECT_EQ(few.served[4].loss, 0.0);
}

TEST_F(Portfolios, StopWhereNothingLosesMoreThanAllowed) {
  const Portfolio few = choose(0, 0.03);
  ASSERT_EQ(few.variants.size(), 2U);
  EXPECT_NEAR(*few.served[0].loss, 0.02, 1e-12);
  EXPECT_EQ(few.served[1].loss, 0.0);
  EXPECT_EQ(few.served[2].loss, 0.0);
  EXPECT_NEAR(few.steps.back().mean_loss, std::cbrt(1.02) - 1, 1e-12);
  EXPECT_NEAR(few.steps.back().worst_loss, 0.02, 1e-12);
}

TEST_F(Portfolios, OfOneVariantServeEveryProblem) {
  const Portfolio one = choose(1, 0);
  ASSERT_EQ(one.variants.size(), 1U);
  ASSERT_EQ(one.served.size(), 3U);
  EXPECT_EQ(one.steps.size(), 1U);
}

TEST_F(Portfolios, SayWhereAVariantWasNotMeasured) {
  std::erase_if(speeds, [](const ConfigSpeed& speed) {
    return speed.problem == Problem{{"n", 900}} && speed.config == Config{{"A", 1}};
  });
  std::erase_if(speeds, [](const ConfigSpeed& speed) {
    return speed.problem != Problem{{"n", 900}} && speed.config == Config{{"A", 3}};
  });
  const Portfolio one = choose(1, 0);
  EXPECT_EQ(one.variants[0], (Config{{"A", 2}}));
  EXPECT_FALSE(one.served[2].loss);  // the nearest problem's variant
  EXPECT_EQ(one.steps[0].served, 2U);
}

}  // namespace
}  // namespace gtune
