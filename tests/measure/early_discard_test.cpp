#include "measure/early_discard.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gtune {
namespace {

TEST(EarlyDiscard, NothingIsSlowerThanNoBest) {
  EXPECT_FALSE(EarlyDiscard(std::nullopt).clearly_slower(std::vector{9e9, 9e9, 9e9}));
}

TEST(EarlyDiscard, WaitsForEnoughSamples) {
  const EarlyDiscard discard(1.0);
  EXPECT_FALSE(discard.clearly_slower(std::vector{2.0, 2.0}));
  EXPECT_TRUE(discard.clearly_slower(std::vector{2.0, 2.0, 2.0}));
}

TEST(EarlyDiscard, OneUndisturbedSampleSavesAConfiguration) {
  EXPECT_FALSE(EarlyDiscard(1.0).clearly_slower(std::vector{5.0, 0.99, 5.0, 5.0, 5.0}));
}

TEST(EarlyDiscard, SlowerWithinTheMarginGoesOn) {
  EXPECT_FALSE(EarlyDiscard(1.0).clearly_slower(std::vector{1.09, 1.09, 1.09}));
  EXPECT_TRUE(EarlyDiscard(1.0).clearly_slower(std::vector{1.11, 1.11, 1.11}));
}

TEST(EarlyDiscard, NoSamplesDecideNothing) {
  EXPECT_FALSE(EarlyDiscard(1.0, {.after = 0}).clearly_slower({}));
}

}  // namespace
}  // namespace gtune
