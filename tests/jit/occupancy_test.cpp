#include "jit/occupancy.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

DeviceFacts h200() {
  DeviceFacts device;
  device.name = "NVIDIA H200";
  device.cc_major = 9;
  device.sm_count = 132;
  device.shared_per_block_optin = 232448;
  device.shared_per_sm = 233472;
  return device;
}

ResourceUsage usage(int registers, std::int64_t static_shared = 0) {
  ResourceUsage out;
  out.registers = registers;
  out.static_shared_bytes = static_shared;
  return out;
}

LaunchPlan launch(std::int64_t threads, std::int64_t shared = 0) {
  LaunchPlan plan;
  plan.grid = {128, 1, 1};
  plan.block = {threads, 1, 1};
  plan.shared_bytes = shared;
  return plan;
}

TEST(Occupancy, RegistersLimit) {
  const auto result = with_occupancy(usage(128), launch(256), h200());
  EXPECT_EQ(result.blocks_per_sm, 2);
  EXPECT_DOUBLE_EQ(result.theoretical_occupancy, 0.25);
  EXPECT_EQ(result.occupancy_limit, "registers");
}

TEST(Occupancy, SharedMemoryLimits) {
  const auto result = with_occupancy(usage(32), launch(128, 100 * 1024), h200());
  EXPECT_EQ(result.blocks_per_sm, 2);
  EXPECT_EQ(result.occupancy_limit, "shared memory");
  EXPECT_EQ(result.dynamic_shared_bytes, 100 * 1024);
}

TEST(Occupancy, BlockSizeAndBlocksLimit) {
  const auto big = with_occupancy(usage(16), launch(768), h200());
  EXPECT_EQ(big.blocks_per_sm, 2);
  EXPECT_DOUBLE_EQ(big.theoretical_occupancy, 0.75);
  EXPECT_EQ(big.occupancy_limit, "block size");
  const auto small = with_occupancy(usage(16), launch(32), h200());
  EXPECT_EQ(small.blocks_per_sm, 32);
  EXPECT_EQ(small.occupancy_limit, "blocks");
}

TEST(Occupancy, AGridIsOfWholeClusters) {
  LaunchPlan plan = launch(256);
  plan.cluster = {2, 1, 1};
  EXPECT_EQ(why_it_cannot_launch(usage(32), plan, h200()), std::nullopt);
  plan.grid = {7, 1, 1};
  EXPECT_EQ(why_it_cannot_launch(usage(32), plan, h200()),
            "grid.x is 7, which is not a multiple of the cluster's 2");
}

TEST(Occupancy, ACooperativeGridIsResidentAtOnce) {
  LaunchPlan plan = launch(256);
  plan.cooperative = true;
  plan.grid = {2 * 132, 1, 1};
  EXPECT_FALSE(why_it_cannot_launch(usage(128), plan, h200()));
  plan.grid = {2 * 132 + 1, 1, 1};
  EXPECT_EQ(why_it_cannot_launch(usage(128), plan, h200()),
            "265 blocks of a cooperative launch; the device holds 264 at once");
}

TEST(Occupancy, ClustersHaveLimits) {
  LaunchPlan plan = launch(256);
  plan.grid = {128, 4, 1};  // in whole clusters
  plan.cluster = {8, 2, 1};
  EXPECT_FALSE(why_it_cannot_launch(usage(32), plan, h200()));
  plan.cluster = {8, 4, 1};
  EXPECT_EQ(why_it_cannot_launch(usage(32), plan, h200()),
            "32 blocks per cluster; no device allows more than 16");
  plan.cluster = {2, 1, 1};
  DeviceFacts older = h200();
  older.cc_major = 8;
  EXPECT_EQ(why_it_cannot_launch(usage(32), plan, older),
            "clusters need compute capability 9.0; the device has 8.0");
}

TEST(Occupancy, WhatFitsCanLaunch) {
  EXPECT_FALSE(why_it_cannot_launch(usage(255), launch(256), h200()));
  EXPECT_FALSE(why_it_cannot_launch(usage(64), launch(1024), h200()));
  EXPECT_FALSE(why_it_cannot_launch(usage(32), launch(128, 232448), h200()));
}

struct Refusal {
  ResourceUsage usage;
  LaunchPlan plan;
  std::vector<std::string> parts;  // of the reason
};

TEST(Occupancy, WhatDoesNotFitSaysWhyInNumbers) {
  LaunchPlan wide = launch(256);
  wide.grid = {1, 65536, 1};
  LaunchPlan deep = launch(1);
  deep.block = {1, 1, 65};
  LaunchPlan empty = launch(32);
  empty.grid = {0, 1, 1};
  const std::vector<Refusal> refusals = {
      {usage(32), empty, {"grid is empty"}},
      {usage(32), launch(1056), {"1056 threads", "1024"}},
      {usage(128), launch(1024), {"1024", "128 registers", "65536"}},
      {usage(32, 1024), launch(128, 232448), {"233472 bytes of shared memory", "232448"}},
      {usage(32), wide, {"grid.y", "65536", "65535"}},
      {usage(32), deep, {"block.z", "65", "64"}}};
  for (const Refusal& refusal : refusals) {
    const auto reason = why_it_cannot_launch(refusal.usage, refusal.plan, h200());
    ASSERT_TRUE(reason) << refusal.parts.front();
    for (const std::string& part : refusal.parts) {
      EXPECT_NE(reason->find(part), std::string::npos) << *reason << " lacks " << part;
    }
    EXPECT_EQ(reason->find('\n'), std::string::npos);
  }
}

TEST(Occupancy, AChipNewerThanTheTablesMayTry) {
  DeviceFacts device = h200();
  device.cc_major = 99;
  EXPECT_FALSE(why_it_cannot_launch(usage(32), launch(256), device));
  EXPECT_TRUE(why_it_cannot_launch(usage(32), launch(1056), device));
}

}  // namespace
}  // namespace gtune
