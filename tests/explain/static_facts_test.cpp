#include "explain/static_facts.hpp"

#include <gtest/gtest.h>

#include "spec/device_table.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {
namespace {

class StaticFactsOfSgemm : public testing::Test {
 protected:
  StaticFactsOfSgemm() {
    device.sm_count = 100;
    device.limits.fma_tflops = 60;
    device.limits.dram_gbps = 4000;
    measured.config = {{"BM", 128},  {"BN", 256},      {"BK", 32},     {"TM", 16},
                       {"TN", 8},    {"LANE_ROWS", 4}, {"STAGES", 3},  {"MIN_BLOCKS", 1},
                       {"SPLIT", 1}, {"K_LANES", 1},   {"K_WARPS", 1}, {"UNROLL", 1},
                       {"KEEP_A", 0}};
    measured.resources.emplace();
    measured.resources->blocks_per_sm = 1;
    measured.timing.emplace();
    measured.timing->median_ms = 3;
  }

  [[nodiscard]] StaticFacts facts() const {
    return find_static_facts(spec, problem, device, measured);
  }

  KernelSpec spec = read_spec(GTUNE_SOURCE_DIR "/tuner_configs/sgemm.toml",
                              {{std::filesystem::path(GTUNE_SOURCE_DIR) / "kernels"}});
  Problem problem = expand_problems(spec, {}).front();
  DeviceFacts device = typical_device("sm_90");
  Measurement measured;
};

TEST_F(StaticFactsOfSgemm, WavesAreBlocksOverThoseResident) {
  EXPECT_DOUBLE_EQ(facts().blocks.value(), 512);
  EXPECT_DOUBLE_EQ(facts().waves.value(), 5.12);
  EXPECT_DOUBLE_EQ(facts().idle_places.value(), 1 - 512.0 / 600);
  measured.resources->blocks_per_sm = 6;  // less than a wave: the fullest SM has six blocks
  EXPECT_DOUBLE_EQ(facts().waves.value(), 512.0 / 600);
  EXPECT_DOUBLE_EQ(facts().idle_places.value(), 1 - 512.0 / 600);
  measured.resources->blocks_per_sm = 0;  // a chip newer than the tables
  EXPECT_FALSE(facts().waves);
}

TEST_F(StaticFactsOfSgemm, TheRoofIsWhatTakesTheWorkLonger) {
  const double flops = 2.0 * 4096 * 4096 * 4096;
  const double bytes = 3.0 * 4096 * 4096 * 4;
  EXPECT_DOUBLE_EQ(facts().intensity.value(), flops / bytes);
  EXPECT_TRUE(facts().roof->of_compute);
  EXPECT_NEAR(facts().roof->share, flops / 60e12 / 3e-3, 1e-9);
  measured.timing->median_ms = 1;  // faster than FMA units: tensor cores
  EXPECT_FALSE(facts().roof->of_compute);
  EXPECT_NEAR(facts().roof->share, bytes / 4e12 / 1e-3, 1e-9);
  device.limits.fma_tflops.reset();
  EXPECT_FALSE(facts().roof);
}

TEST_F(StaticFactsOfSgemm, OfABaselineTheLaunchIsItsOwn) {
  measured.phase = Phase::baseline;
  measured.label = "naive";
  measured.config = {};
  EXPECT_DOUBLE_EQ(facts().blocks.value(), 512.0 * 128);
  EXPECT_EQ(facts().launch->threads_per_block(), 256);
  // The launch now depends on a parameter that is not stored with it.
  spec.baselines[0].steps = spec.steps;
  EXPECT_FALSE(facts().launch);
}

}  // namespace
}  // namespace gtune
