#include "search/stop_rule.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

void tell(StopRule& rule, std::size_t times, std::optional<double> cost, double gain) {
  for (std::size_t i = 0; i < times; ++i) rule.tell(cost, ExpectedGain{gain, gain});
}

TEST(StopRule, EndsWhenNothingMoreIsExpected) {
  StopRule rule(1000);
  tell(rule, StopRule::fewest_told - 1, 2.0, 0.0001);
  EXPECT_FALSE(rule.is_over());
  tell(rule, 1, 2.0, 0.0001);
  EXPECT_TRUE(rule.is_over());
  EXPECT_EQ(rule.expected_gain().value().gain, 0.0001);
}

TEST(StopRule, WaitsWhileAGainIsExpected) {
  StopRule rule(1000);
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
  StopRule rule(1000);
  for (int i = 0; i < 200; ++i) rule.tell(2.0, ExpectedGain{0.0001, 0.006});
  EXPECT_FALSE(rule.is_over());
  for (int i = 0; i < 20; ++i) rule.tell(2.0, ExpectedGain{0.0001, 0.004});
  EXPECT_TRUE(rule.is_over());
}

TEST(StopRule, WaitsAfterAnImprovementInProportionToWhatItTook) {
  StopRule rule(1000);
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
  StopRule rule(140);
  tell(rule, 69, 2.0, 0.0001);
  EXPECT_TRUE(rule.is_over());
  tell(rule, 1, 2.0, 0.0001);
  EXPECT_FALSE(rule.is_over());
}

TEST(StopRule, NeverEndsAStrategyThatExpectsNothingOfItsOwn) {
  StopRule rule(10000);
  for (int i = 0; i < 1000; ++i) rule.tell(2.0, std::nullopt);
  EXPECT_FALSE(rule.is_over());
}

}  // namespace
}  // namespace gtune
