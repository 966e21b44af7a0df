#include <gtest/gtest.h>

#include "scale_test.hpp"
#include "space/enumerate.hpp"
#include "spec/problem_sizes.hpp"
#include "tune/budget_shares.hpp"
#include "tune/tune_problem.hpp"

namespace gtune {
namespace {

/// Runs on a made-up GPU.
class SearchTime : public test::ScaleTest {
 protected:
  [[nodiscard]] ProblemOutcome run(std::size_t compilers, double seconds) {
    SessionOptions options = session_options();
    options.threads = compilers;
    const KernelSpec read = spec("entry = \"naive\", grid = [1], block = [32]");
    test::SilentObserver observer;
    KernelSession session(options, read, observer, [] { return false; });
    const Environment& env = session.environment();
    const Problem problem = expand_problems(read, {}).front();
    const SearchSpace space = enumerate(read, problem, env.device()).space;
    RunSettings settings;
    settings.strategy = "random";
    settings.budget.seconds = seconds;
    settings.profile.scope = ProfileScope::off;
    return tune_problem(env, settings, problem, space, {"scale", true});
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

TEST(MoreTime, IsEnoughForAFewDozenAndTwiceTheBudget) {
  EXPECT_EQ(more_time({6.0, {}}, 24, 2).text(), "384s");
  EXPECT_EQ(more_time({60.0, {}}, 61, 200).text(), "120s");
  EXPECT_EQ(more_time({0.5, {}}, 0.5, 0).text(), "16s");
}

}  // namespace
}  // namespace gtune
