#include "search/stop_rule.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>
#include <vector>

namespace gtune {
namespace {

/// Of `size` configurations, with `parameters` that have several values.
SearchSpace space_of(std::size_t size, std::size_t parameters = 2) {
  std::vector<Dimension> dimensions(parameters, {"P", {1, 2}});
  dimensions.front().values.resize(size);
  std::iota(dimensions.front().values.begin(), dimensions.front().values.end(), 1);
  std::vector<std::uint16_t> coordinates(size * parameters);
  for (std::size_t i = 0; i < size; ++i)
    coordinates[i * parameters] = static_cast<std::uint16_t>(i);
  return {std::move(dimensions), std::move(coordinates)};
}

void tell(StopRule& rule, std::size_t times, std::optional<double> cost, double gain) {
  for (std::size_t i = 0; i < times; ++i) rule.tell(cost, ExpectedGain{gain, gain});
}

TEST(StopRule, EndsWhenNothingMoreIsExpected) {
  StopRule rule(space_of(1000));
  tell(rule, StopRule::fewest_told - 1, 2.0, 0.0001);
  EXPECT_FALSE(rule.is_over());
  tell(rule, 1, 2.0, 0.0001);
  EXPECT_TRUE(rule.is_over());
  EXPECT_EQ(rule.expected_gain().value().gain, 0.0001);
}

TEST(StopRule, KnowsWhetherResultsUnderWayWillEndIt) {
  StopRule rule(space_of(1000));
  tell(rule, StopRule::fewest_told - 20, 2.0, 0.0001);
  EXPECT_FALSE(rule.is_over_after(19));
  EXPECT_TRUE(rule.is_over_after(20));
  EXPECT_FALSE(rule.is_over());
  tell(rule, 1, 2.0, 0.1);  // the model expects much again
  EXPECT_FALSE(rule.is_over_after(100));
  tell(rule, 1, 2.0, 0.0001);
  EXPECT_FALSE(rule.is_over_after(18));  // calm for one only
  EXPECT_TRUE(rule.is_over_after(19));
}

TEST(StopRule, HalfTheSpaceCountsResultsUnderWay) {
  StopRule rule(space_of(140));
  tell(rule, StopRule::fewest_told, 2.0, 0.0001);
  EXPECT_TRUE(rule.is_over());
  EXPECT_FALSE(rule.is_over_after(10));
}

TEST(StopRule, AsksForMoreWhereThereAreMoreParameters) {
  StopRule rule(space_of(1000, 10));
  tell(rule, 79, 2.0, 0.0001);
  EXPECT_FALSE(rule.is_over());
  tell(rule, 1, 2.0, 0.0001);
  EXPECT_TRUE(rule.is_over());
}

TEST(StopRule, DoesNotCountParametersOfOneValue) {
  std::vector<Dimension> dimensions(10, {"P", {1}});
  dimensions.front().values.resize(1000);
  std::iota(dimensions.front().values.begin(), dimensions.front().values.end(), 1);
  std::vector<std::uint16_t> coordinates(10000);
  for (std::size_t i = 0; i < 1000; ++i) coordinates[10 * i] = static_cast<std::uint16_t>(i);
  StopRule rule(SearchSpace(std::move(dimensions), std::move(coordinates)));
  tell(rule, StopRule::fewest_told, 2.0, 0.0001);
  EXPECT_TRUE(rule.is_over());
}

TEST(StopRule, TrustsAKnownWinner) {
  StopRule rule(space_of(1000, 10));
  rule.know_winner();
  tell(rule, StopRule::fewest_told, 2.0, 0.0001);
  EXPECT_TRUE(rule.is_over());
}

TEST(StopRule, WaitsWhileAGainIsExpected) {
  StopRule rule(space_of(1000));
  tell(rule, 200, 2.0, 0.01);
  EXPECT_FALSE(rule.is_over());
  tell(rule, 19, 2.0, 0.0001);
  EXPECT_FALSE(rule.is_over());
  tell(rule, 1, 2.0, 0.0001);
  EXPECT_TRUE(rule.is_over());
  tell(rule, 1, 2.0, 0.01);  // the model has changed its mind
  EXPECT_FALSE(rule.is_over());
}

TEST(StopRule, WaitsWhileAWrongModelMayMissAGain) {
  StopRule rule(space_of(1000));
  for (int i = 0; i < 200; ++i) rule.tell(2.0, ExpectedGain{0.0001, 0.006});
  EXPECT_FALSE(rule.is_over());
  for (int i = 0; i < 20; ++i) rule.tell(2.0, ExpectedGain{0.0001, 0.004});
  EXPECT_TRUE(rule.is_over());
}

TEST(StopRule, WaitsAfterAnImprovementInProportionToWhatItTook) {
  StopRule rule(space_of(1000));
  tell(rule, 99, 2.0, 0.0001);
  EXPECT_TRUE(rule.is_over());
  tell(rule, 1, 1.9, 0.0001);
  EXPECT_FALSE(rule.is_over());
  tell(rule, 59, 2.0, 0.0001);
  EXPECT_FALSE(rule.is_over());
  tell(rule, 1, std::nullopt, 0.0001);
  EXPECT_TRUE(rule.is_over());
  tell(rule, 1, 1.899, 0.0001);  // hardly faster
  EXPECT_TRUE(rule.is_over());
}

TEST(StopRule, LeavesNoRestThatIsSmall) {
  StopRule rule(space_of(140));
  tell(rule, 69, 2.0, 0.0001);
  EXPECT_TRUE(rule.is_over());
  tell(rule, 1, 2.0, 0.0001);
  EXPECT_FALSE(rule.is_over());
}

TEST(StopRule, NeverEndsAStrategyThatExpectsNothingOfItsOwn) {
  StopRule rule(space_of(10000));
  for (int i = 0; i < 1000; ++i) rule.tell(2.0, std::nullopt);
  EXPECT_FALSE(rule.is_over());
}

}  // namespace
}  // namespace gtune
