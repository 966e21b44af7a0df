#include "search/random.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gtune {
namespace {

TEST(Random, IsTheSameEverywhere) {
  // The standard gives the generator's 10000th value for its default seed.
  Random random(5489);
  double value = 0;
  for (int i = 0; i < 10000; ++i) value = random.unit();
  EXPECT_EQ(value, static_cast<double>(9981545732273789042ULL >> 11) * 0x1p-53);
}

TEST(Random, BelowIsEvenAndBounded) {
  Random random(1);
  std::vector<int> counts(7, 0);
  for (int i = 0; i < 70000; ++i) ++counts.at(random.below(7));
  for (const int count : counts) EXPECT_NEAR(count, 10000, 400);
}

}  // namespace
}  // namespace gtune
