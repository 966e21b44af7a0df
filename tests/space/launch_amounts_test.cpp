// What a launch tells a search besides its parameters.
#include "space/launch_amounts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "spec/device_table.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {
namespace {

const KernelSpec& sgemm() {
  static const KernelSpec spec = read_spec(GTUNE_SOURCE_DIR "/tuner_configs/sgemm.toml",
                                           {{std::filesystem::path(GTUNE_SOURCE_DIR) / "kernels"}});
  return spec;
}

const Config k_config = {{"STAGES", 3},  {"BM", 128},   {"BN", 64},       {"BK", 16},
                         {"TM", 8},      {"TN", 4},     {"LANE_ROWS", 8}, {"K_LANES", 1},
                         {"K_WARPS", 1}, {"UNROLL", 1}, {"KEEP_A", 0},    {"MIN_BLOCKS", 2},
                         {"SPLIT", 1}};

TEST(LaunchAmounts, AreLogarithmsOfBlocksThreadsAndSharedMemory) {
  const Problem problem = expand_problems(sgemm(), {{"M", {1024}}}).front();
  const ConfigAmounts amounts = launch_amounts(sgemm(), problem, typical_device("sm_90"));
  const std::vector<double> found = amounts(k_config);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_DOUBLE_EQ(found[0], std::log2(8 * 16)) << "tiles";
  EXPECT_DOUBLE_EQ(found[1], std::log2(16 * 16)) << "threads of 8 x 4 outputs each";
  EXPECT_DOUBLE_EQ(found[2], std::log2(3 * (16 * (128 + 64 + 4) * 4 + 16) + 1024));
}

TEST(LaunchAmounts, DependOnTheProblem) {
  const Problem small = expand_problems(sgemm(), {{"M", {128}}}).front();
  const ConfigAmounts amounts = launch_amounts(sgemm(), small, typical_device("sm_90"));
  EXPECT_DOUBLE_EQ(amounts(k_config)[0], 1) << "two tiles";
}

TEST(LaunchAmounts, OfALaunchWithoutAValueAreThoseOfOneThread) {
  Config odd = k_config;
  odd.set("TM", 0);
  const Problem problem = expand_problems(sgemm(), {}).front();
  const ConfigAmounts amounts = launch_amounts(sgemm(), problem, typical_device("sm_90"));
  EXPECT_EQ(amounts(odd), (std::vector<double>{0, 0, 10}));
}

}  // namespace
}  // namespace gtune
