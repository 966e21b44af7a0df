#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "scale_test.hpp"
#include "search/stop_rule.hpp"
#include "space/enumerate.hpp"
#include "spec/problem_sizes.hpp"
#include "tune/budget_shares.hpp"
#include "tune/tune_problem.hpp"

namespace gtune {
namespace {

/// Runs on a made-up GPU, on which all configurations take the same time.
class SearchTime : public test::ScaleTest {
 protected:
  static constexpr const char* naive = "entry = \"naive\", grid = [1], block = [32]";

  [[nodiscard]] ProblemOutcome run(std::size_t compilers, double seconds) {
    RunSettings settings;
    settings.strategy = "random";
    settings.budget.seconds = seconds;
    return run(spec(naive), compilers, settings);
  }

  [[nodiscard]] ProblemOutcome run(const KernelSpec& read, std::size_t compilers,
                                   RunSettings settings, Trace* trace = nullptr) {
    SessionOptions options = session_options();
    options.threads = compilers;
    options.trace = trace;
    test::SilentObserver observer;
    KernelSession session(options, read, observer, [] { return false; });
    const Environment& env = session.environment();
    const Problem problem = expand_problems(read, {}).front();
    const SearchSpace space = enumerate(read, problem, env.device()).space;
    settings.profile.scope = ProfileScope::off;
    return tune_problem(env, settings, problem, space, {"scale", true});
  }

  /// BLOCK = 1 to `count`.
  [[nodiscard]] KernelSpec spec_of(int count) const {
    KernelSpec many = spec(naive);
    std::vector<std::int64_t>& values = many.params.front().values;
    values.resize(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 1);
    return many;
  }
};

TEST_F(SearchTime, TheFirstConfigurationIsWaitedForHoweverShortTheTime) {
  const test::EnvironmentVariable slow("GTUNE_TEST_SLOW", "scale=600");
  const ProblemOutcome outcome = run(1, 0.05);
  EXPECT_TRUE(outcome.found);
  EXPECT_GE(outcome.search_use.tried, 1U);
  EXPECT_LT(outcome.search_use.tried, 4U);  // no more: the time is over
  EXPECT_TRUE(outcome.search_use.ended_by_time);
}

TEST_F(SearchTime, TimeThatEndsARunWithNothingValidIsTold) {
  const test::EnvironmentVariable slow("GTUNE_TEST_SLOW", "scale=600");
  const test::EnvironmentVariable failing("GTUNE_TEST_STATUS", "launch_error");
  const ProblemOutcome outcome = run(2, 0.05);
  EXPECT_FALSE(outcome.found);
  EXPECT_TRUE(outcome.search_use.ended_by_time);
  EXPECT_GE(outcome.search_use.tried, 2U);  // one for each compiler
  EXPECT_LT(outcome.search_use.tried, 8U);
  EXPECT_EQ(outcome.configurations, 16U);
}

TEST_F(SearchTime, CompilingTheReferenceIsNotPartOfIt) {
  const test::EnvironmentVariable slow("GTUNE_TEST_SLOW", "naive=3500");
  EXPECT_GT(run(1, 3.0).search_use.tried, 1U);
}

TEST_F(SearchTime, NoMoreIsAskedForThanItNeedsToEnd) {
  RunSettings settings;
  settings.strategy = "guided";
  settings.budget.may_end_early = true;
  Trace trace;
  const ProblemOutcome outcome = run(spec_of(200), 8, settings, &trace);
  EXPECT_TRUE(outcome.search_use.ended_at_gain);
  EXPECT_GE(outcome.search_use.tried, StopRule::fewest_told);
  std::size_t asked = 0;
  const std::string text = trace.json();
  for (std::size_t at = 0; (at = text.find("\"ask\"", at)) != text.npos; ++at) ++asked;
  EXPECT_GE(asked, outcome.search_use.tried);
  EXPECT_LE(asked, StopRule::fewest_told + 2);  // not all that 8 compilers could have had
}

TEST(MoreTime, IsEnoughForAFewDozenAndTwiceTheBudget) {
  EXPECT_EQ(more_time({6.0, {}}, 24, 2).text(), "384s");
  EXPECT_EQ(more_time({60.0, {}}, 61, 200).text(), "120s");
  EXPECT_EQ(more_time({0.5, {}}, 0.5, 0).text(), "16s");
}

}  // namespace
}  // namespace gtune
