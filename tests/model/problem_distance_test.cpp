#include "model/problem_distance.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gtune {
namespace {

TEST(ProblemDistance, IsOfRatiosNotOfDifferences) {
  const Problem asked = {{"n", 2100}};
  EXPECT_LT(distance(asked, {{"n", 4000}}), distance(asked, {{"n", 1000}}));
  EXPECT_DOUBLE_EQ(distance({{"n", 8}}, {{"n", 2}}), 2);
}

TEST(ProblemDistance, TakesAllSizesInAnyOrder) {
  EXPECT_DOUBLE_EQ(distance({{"M", 8}, {"N", 1}}, {{"N", 16}, {"M", 1}}), 5);
  EXPECT_EQ(distance({{"M", 3}, {"N", 5}}, {{"N", 5}, {"M", 3}}), 0);
}

TEST(ProblemDistance, DoesNotOverflow) {
  // The products of such sizes would overflow, in 32 bits and in 64.
  const Problem large = {{"M", std::int64_t{1} << 40}, {"N", std::int64_t{1} << 40}};
  EXPECT_DOUBLE_EQ(distance(large, {{"M", 1}, {"N", 1}}), 40 * std::sqrt(2));
}

TEST(ProblemDistance, MissingAndEmptySizesCountAsOne) {
  EXPECT_DOUBLE_EQ(distance({{"M", 4}, {"K", 0}}, {{"M", 4}}), 0);
  EXPECT_DOUBLE_EQ(distance({{"M", 4}}, {{"M", 4}, {"K", 2}}), 1);
}

}  // namespace
}  // namespace gtune
