#include "answer/expected_time.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

gtune_parts parts_of(long long blocks, long long sms, long long resident) {
  const gtune_work work = {1200, 100 * blocks, blocks, 10, 1};  // 100 bytes a block
  return gtune_parts_of(&work, sms, resident);
}

TEST(ExpectedTime, LoadsAreThoseOfTheSmWithTheMostBlocks) {
  EXPECT_EQ(parts_of(4, 4, 2).part[3], 100);
  EXPECT_EQ(parts_of(5, 4, 2).part[3], 200);
  EXPECT_EQ(parts_of(3, 4, 2).part[3], 100);
}

TEST(ExpectedTime, LatencyOfLoadsAddsUpOverBlocksThatFollowEachOther) {
  EXPECT_EQ(parts_of(8, 4, 2).part[4], 100);
  EXPECT_EQ(parts_of(9, 4, 2).part[4], 200);
}

TEST(ExpectedTime, BlocksAndWavesAreRoundedUp) {
  const gtune_parts parts = parts_of(9, 4, 2);
  EXPECT_EQ(parts.part[5], 3);
  EXPECT_EQ(parts.part[7], 2);
}

}  // namespace
}  // namespace gtune
