#include "measure/throttle.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

TEST(Throttle, FullClockIsKept) {
  ThrottleFilter filter(1980);
  EXPECT_FALSE(filter.should_repeat(1980));
  EXPECT_FALSE(filter.should_repeat(1900));
  EXPECT_EQ(filter.repeated(), 0);
}

TEST(Throttle, LowClockIsRepeated) {
  ThrottleFilter filter(1980);
  EXPECT_TRUE(filter.should_repeat(1200));
  EXPECT_FALSE(filter.should_repeat(1980));
  EXPECT_EQ(filter.repeated(), 1);
}

TEST(Throttle, UnknownClocksAreKept) {
  ThrottleFilter no_maximum(0);
  EXPECT_FALSE(no_maximum.should_repeat(300));
  ThrottleFilter no_clock(1980);
  EXPECT_FALSE(no_clock.should_repeat(std::nullopt));
}

TEST(Throttle, ADeviceHeldDownStillGetsResults) {
  ThrottleFilter filter(1980, {.max_repeats = 4});
  int taken = 0;
  for (int configuration = 0; configuration < 10; ++configuration) {
    filter.begin_configuration();
    for (int kept = 0; kept < 7; ++taken) kept += !filter.should_repeat(1400);
  }
  EXPECT_EQ(taken, 10 * 7 + 4);  // repeats in the first one only
}

TEST(Throttle, AHigherClockRaisesTheReferenceAgain) {
  ThrottleFilter filter(1980, {.max_repeats = 1});
  (void)filter.should_repeat(1400);
  filter.begin_configuration();
  EXPECT_FALSE(filter.should_repeat(1400));
  EXPECT_FALSE(filter.should_repeat(1980));
  EXPECT_TRUE(filter.should_repeat(1400));
}

}  // namespace
}  // namespace gtune
