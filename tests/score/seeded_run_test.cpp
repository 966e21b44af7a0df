#include "score/seeded_run.hpp"

#include <gtest/gtest.h>

#include "made_up_space.hpp"
#include "search/stop_rule.hpp"

namespace gtune {
namespace {

using test::never;

SeededRun random_run(const RecordedSpace& space, std::uint64_t seed, const RunLimits& limits) {
  return run_seeded(space, "random", seed, limits, never);
}

TEST(SeededRun, ImprovesUntilItHasTheOptimum) {
  const RecordedSpace space = test::made_up_space(60);
  const SeededRun run = random_run(space, 3, {60, 0, 1});
  ASSERT_FALSE(run.improvements.empty());
  EXPECT_EQ(run.improvements.back().cost_ms, space.optimum_ms);
  EXPECT_EQ(run.improvements.back().evaluations, run.evaluations);  // and no further
  for (std::size_t i = 0; i < run.improvements.size(); ++i) {
    const Improvement& each = run.improvements[i];
    EXPECT_EQ(each.elapsed_ms, 2.0 * static_cast<double>(each.evaluations));
    if (i == 0) continue;
    EXPECT_LT(each.cost_ms, run.improvements[i - 1].cost_ms);
    EXPECT_GT(each.evaluations, run.improvements[i - 1].evaluations);
  }
}

TEST(SeededRun, DependsOnItsSeedAlone) {
  const RecordedSpace space = test::made_up_space(200);
  const auto costs = [&](std::uint64_t seed) {
    std::vector<double> all;
    for (const Improvement& each : random_run(space, seed, {200, 0, 1}).improvements) {
      all.push_back(each.cost_ms);
    }
    return all;
  };
  EXPECT_EQ(costs(1), costs(1));
  EXPECT_NE(costs(1), costs(2));
}

TEST(SeededRun, EndsWhereItHasBothEvaluationsAndTime) {
  // A hard space: the optimum is one of a thousand.
  const RecordedSpace space = test::made_up_space(1000);
  const SeededRun by_evaluations = random_run(space, 1, {7, 0, 1});
  EXPECT_EQ(by_evaluations.evaluations, 7U);
  const SeededRun by_time = random_run(space, 1, {7, 30, 1});  // 2 ms each
  EXPECT_EQ(by_time.evaluations, 15U);
}

TEST(SeededRun, WithoutTheOptimumItAsksForEverythingOnce) {
  RecordedSpace space = test::made_up_space(40);
  space.optimum_ms = 0.5;  // no configuration takes this
  EXPECT_EQ(random_run(space, 1, {1000, 0, 1}).evaluations, 40U);
  EXPECT_EQ(random_run(space, 1, {1000, 0, 8}).evaluations, 40U);
}

TEST(SeededRun, NotesWhenTheSearchWouldEndByItself) {
  const RecordedSpace space = test::made_up_space(400);
  const SeededRun guided = run_seeded(space, "guided", 1, {400, 0, 1}, never);
  ASSERT_TRUE(guided.own_end);
  EXPECT_GE(guided.own_end->evaluations, StopRule::fewest_told);
  EXPECT_LT(guided.own_end->evaluations, 400U);
  EXPECT_LT(guided.own_end->best_ms, 1.05 * space.optimum_ms);
  EXPECT_FALSE(random_run(space, 1, {400, 0, 1}).own_end);
}

TEST(SeededRun, AnInterruptEndsItAtTheNextAsk) {
  const RecordedSpace space = test::made_up_space(1000);
  int asked = 0;
  const SeededRun run = run_seeded(space, "random", 1, {1000, 0, 1}, [&] { return ++asked > 5; });
  EXPECT_EQ(run.evaluations, 5U);
}

}  // namespace
}  // namespace gtune
