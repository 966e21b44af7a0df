#include "export/portfolio.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "answer/toy_spec.hpp"

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
    return choose_portfolio(winners, speeds, {most, loss}, SizeRules(spec));
  }

  const KernelSpec spec = test::toy_spec();
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
  add(400, {{1, 3.0}, {4, 3.0}});  // the best is A = 1, as for another problem
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

TEST_F(Portfolios, MoreVariantsNeverShowALargerLoss) {
  // The first variant that helps alone is dropped once two others share its work, and the first
  // variants that serve a problem lose something there.
  for (int n = 1000; n < 1006; ++n) {
    const double near = n % 2 == 0 ? 1.0 : 1.1;
    add(n, {{5, 1.2}, {6, near}, {7, 2.1 - near}, {8, n == 1000 ? 1.05 : 3.0}});
  }
  add(2000, {{9, 1.0}, {6, 1.3}});
  for (std::size_t most = 1; most <= 6; ++most) {
    const std::vector<PortfolioStep> steps = choose(most, 0).steps;
    ASSERT_FALSE(steps.empty());
    EXPECT_TRUE(steps.back().mean_loss);
    for (std::size_t i = 1; i < steps.size(); ++i) {
      EXPECT_EQ(steps[i].instances, i + 1);
      EXPECT_GE(steps[i].served, steps[i - 1].served);
      if (!steps[i - 1].mean_loss) continue;
      EXPECT_LE(*steps[i].mean_loss, *steps[i - 1].mean_loss) << most << " " << i;
      EXPECT_LE(*steps[i].worst_loss, *steps[i - 1].worst_loss) << most << " " << i;
    }
  }
}

TEST_F(Portfolios, StopWhereNothingLosesMoreThanAllowed) {
  const Portfolio few = choose(0, 0.03);
  ASSERT_EQ(few.variants.size(), 2U);
  EXPECT_NEAR(*few.served[0].loss, 0.02, 1e-12);
  EXPECT_EQ(few.served[1].loss, 0.0);
  EXPECT_EQ(few.served[2].loss, 0.0);
  EXPECT_NEAR(few.steps.back().mean_loss.value(), std::cbrt(1.02) - 1, 1e-12);
  EXPECT_NEAR(few.steps.back().worst_loss.value(), 0.02, 1e-12);
}

TEST_F(Portfolios, OfOneVariantServeEveryProblem) {
  const Portfolio one = choose(1, 0);
  ASSERT_EQ(one.variants.size(), 1U);
  ASSERT_EQ(one.served.size(), 3U);
  EXPECT_EQ(one.steps.size(), 1U);
}

TEST_F(Portfolios, DoNotHoldOnToWhatWasMeasuredToBeSlow) {
  winners.clear();
  speeds.clear();
  for (const std::int64_t n : {100, 200, 300, 400}) {
    const auto ms = static_cast<double>(n) / 100;
    add(n, {{1, ms}, {2, 10 * ms}, {3, 10 * ms}});
  }
  for (const std::int64_t n : {2000, 2100, 2200}) {
    const auto ms = static_cast<double>(n) / 100;
    add(n, {{1, 10 * ms}, {2, ms}, {3, 10 * ms}});
  }
  add(500, {{2, 50.0}, {3, 5.0}});  // A = 1 was not measured
  const Portfolio two = choose(2, 0);
  ASSERT_EQ(two.variants.size(), 2U);
  const Served& last = two.served.back();
  EXPECT_EQ(two.variants[last.variant], (Config{{"A", 1}}));
  EXPECT_FALSE(last.loss.has_value());
  for (const Served& served : two.served) {
    if (served.winner.problem != last.winner.problem) {
      EXPECT_EQ(served.loss, 0.0);
    }
  }
}

/// Each problem has the times in ms of configurations 1, 2, ... on it.
class MadeUpPortfolios : public ::testing::Test {
 protected:
  void add(std::int64_t n, const std::vector<double>& times, std::int64_t kind = 0) {
    const Problem problem = {{"n", n}, {"kind", kind}};
    Winner best{{}, {}, problem, {}, 1e9};
    for (std::size_t i = 0; i < times.size(); ++i) {
      ConfigSpeed speed;
      speed.problem = problem;
      speed.config = {{"A", static_cast<std::int64_t>(i + 1)}};
      speed.median_ms = times[i];
      if (times[i] < best.median_ms) best = {{}, {}, speed.problem, speed.config, times[i]};
      speeds.push_back(speed);
    }
    winners.push_back(best);
  }

  [[nodiscard]] Portfolio choose(std::size_t most) const {
    return choose_portfolio(winners, speeds, {most, 0}, SizeRules(spec));
  }

  KernelSpec spec = test::toy_spec();
  std::vector<Winner> winners;
  std::vector<ConfigSpeed> speeds;
};

// The best single configuration is not among the best two.
TEST_F(MadeUpPortfolios, PutBetterOnesInThePlaceOfThoseTakenFirst) {
  add(100, {1.0, 1.5, 1.1}, 0);
  add(200, {1.0, 1.5, 1.1}, 0);
  add(300, {1.5, 1.0, 1.1}, 1);
  add(400, {1.5, 1.0, 1.1}, 1);
  add(500, {1.19, 1.19, 1.18}, 2);
  EXPECT_EQ(choose(1).variants, (std::vector<Config>{{{"A", 3}}}));
  const Portfolio two = choose(2);
  ASSERT_EQ(two.variants.size(), 2U);
  EXPECT_EQ(std::set<std::int64_t>({*two.variants[0].find("A"), *two.variants[1].find("A")}),
            (std::set<std::int64_t>{1, 2}));
  ASSERT_EQ(two.steps.size(), 2U);
  EXPECT_LT(two.steps[1].worst_loss.value(), 0.01);
}

TEST_F(MadeUpPortfolios, AreForProblemsAroundTheTunedOnesToo) {
  add(100, {1.0, 1.1});
  add(200, {1.0, 1.1});
  add(400, {1.01, 1.0});
  EXPECT_EQ(choose(1).variants, (std::vector<Config>{{{"A", 1}}}));
  // At sizes that are not multiples of 100, as the tuned ones are, the first takes twice as long.
  spec = test::toy_spec("A == 1 && n % 100 != 0 ? 2 * n : n");
  EXPECT_EQ(choose(1).variants, (std::vector<Config>{{{"A", 2}}}));
}

/// Two values of a launch-only parameter win: they are one instance.
TEST_F(MadeUpPortfolios, CountInstancesAndHaveAllTheirLaunches) {
  add(100, {1.0, 2.0});
  add(200, {2.0, 1.0});
  spec = test::toy_spec("n");
  const SizeRules rules(spec, {"A"});
  const Portfolio one = choose_portfolio(winners, speeds, {1, 0}, rules);
  EXPECT_EQ(one.instance_count(), 1U);
  EXPECT_EQ(one.variants.size(), 40U);
  EXPECT_EQ(one.instances, std::vector<std::size_t>(40, 0));
  EXPECT_EQ(one.steps.size(), 1U);
  for (const Served& served : one.served) {
    EXPECT_EQ(one.variants[served.variant], served.winner.config);
    EXPECT_EQ(served.loss, 0.0);
  }
}

/// Portfolios of five instances, B = 1 to 5, with 40 launches each, A.
class TrimmedPortfolios : public ::testing::Test {
 protected:
  TrimmedPortfolios() {
    for (std::int64_t i = 0; i < 15; ++i) add(100 + i, 1 + i / 3, 26 + i);
  }

  /// B = `b` wins on n with A = `a`, and A = 1 takes twice as long.
  void add(std::int64_t n, std::int64_t b, std::int64_t a) {
    for (const auto& [value, ms] : {std::pair(a, 1.0), std::pair(std::int64_t{1}, 2.0)}) {
      ConfigSpeed speed;
      speed.problem = {{"n", n}, {"kind", 0}};
      speed.config = {{"B", b}, {"A", value}};
      speed.median_ms = ms;
      speeds.push_back(speed);
    }
    winners.push_back({{}, {}, {{"n", n}, {"kind", 0}}, {{"B", b}, {"A", a}}, 1.0});
  }

  const KernelSpec spec =
      test::spec_with("k<B>", "B = [1, 2, 3, 4, 5]\n" + test::forty_values(), "n");
  const SizeRules rules{spec, {"A"}};
  std::vector<Winner> winners;
  std::vector<ConfigSpeed> speeds;
};

TEST_F(TrimmedPortfolios, KeepTheLaunchesThatWonAndSomeOthers) {
  const Portfolio five = choose_portfolio(winners, speeds, {5, 0}, rules);
  EXPECT_EQ(five.instance_count(), 5U);
  EXPECT_GE(five.variants.size(), winners.size());
  EXPECT_LE(five.variants.size(), 160U);
  ASSERT_EQ(five.served.size(), winners.size());
  for (const Served& served : five.served) {
    EXPECT_EQ(five.variants[served.variant], served.winner.config);
    EXPECT_EQ(served.loss, 0.0);
  }
}

TEST_F(TrimmedPortfolios, AFallbackOfAnInstanceThatIsThereAddsNoInstance) {
  Portfolio five = choose_portfolio(winners, speeds, {5, 0}, rules);
  std::int64_t dropped = 1;
  const auto has = [&](std::int64_t a) {
    const Config config = {{"B", 1}, {"A", a}};
    return std::find(five.variants.begin(), five.variants.end(), config) != five.variants.end();
  };
  while (has(dropped)) ++dropped;
  ASSERT_LE(dropped, 40);
  const std::size_t before = five.variants.size();
  const Config fallback = {{"B", 1}, {"A", dropped}};
  add_launches(five, {fallback, fallback}, rules);
  ASSERT_EQ(five.variants.size(), before + 1);
  EXPECT_EQ(five.variants.back(), fallback);
  EXPECT_EQ(five.instance_count(), 5U);
  const auto same = std::find_if(five.variants.begin(), five.variants.end(),
                                 [](const Config& each) { return each.find("B") == 1; });
  EXPECT_EQ(five.instances.back(),
            five.instances[static_cast<std::size_t>(same - five.variants.begin())]);
}

TEST_F(MadeUpPortfolios, HaveAModelOfEachKind) {
  add(100, {1.0, 2.0}, 0);
  add(101, {2.0, 1.0}, 1);
  spec = test::toy_spec("n");
  Portfolio all = choose(0);
  add_models(all, speeds, SizeRules(spec));
  ASSERT_EQ(all.models.size(), 2U);
  for (const TimeModel& model : all.models) {
    ASSERT_EQ(model.configs.size(), all.variants.size());
    for (const auto& config : model.configs) EXPECT_TRUE(config);
  }
}

TEST_F(Portfolios, SayWhereAVariantWasNotMeasured) {
  std::erase_if(speeds, [](const ConfigSpeed& speed) {
    return speed.problem == Problem{{"n", 900}} && speed.config == Config{{"A", 1}};
  });
  std::erase_if(speeds, [](const ConfigSpeed& speed) {
    return speed.problem != Problem{{"n", 900}} && speed.config == Config{{"A", 3}};
  });
  const Portfolio one = choose(1, 0);
  ASSERT_EQ(one.variants, (std::vector<Config>{{{"A", 3}}}));  // it is expected to be fast
  ASSERT_EQ(one.served.size(), 3U);
  EXPECT_FALSE(one.served[0].loss);
  EXPECT_FALSE(one.served[1].loss);
  EXPECT_EQ(one.served[2].loss, 0.0);
  EXPECT_EQ(one.steps[0].served, 1U);
}

}  // namespace
}  // namespace gtune
