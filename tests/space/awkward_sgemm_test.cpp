// Winners of sgemm are checked on awkward sizes without regard to constraints, so what compiles and
// fits for a problem must do so for the awkward sizes.
#include <gtest/gtest.h>

#include <filesystem>

#include "space/enumerate.hpp"
#include "spec/awkward_problems.hpp"
#include "spec/device_table.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {
namespace {

std::int64_t value_of(const KernelSpec& spec, const char* let, const Case& of) {
  return spec.find_let(let)->expression.evaluate(slot_values(spec, of));
}

/// Bytes of A's slices, as kernels/fp32_slices.cuh lays them out.
std::int64_t slice_bytes(const Config& config, std::int64_t floats_per_copy) {
  const auto extent = *config.find("BM");
  const auto depth = *config.find("BK");
  return 4 * (floats_per_copy > 1 ? extent * (depth + 4) : depth * (extent + 4));
}

TEST(KeptRows, CanBeCopiedAndFitOnAwkwardSizes) {
  const std::filesystem::path root = GTUNE_SOURCE_DIR;
  const KernelSpec spec = read_spec(root / "tuner_configs/sgemm.toml", {{root / "kernels"}});
  const DeviceFacts device = typical_device("sm_90");
  std::size_t checked = 0;
  for (const std::int64_t depth : {1024, 1026}) {  // 16 and 8 bytes per copy
    const Problem problem =
        expand_problems(spec, {{"M", {16}}, {"N", {1024}}, {"K", {depth}}}).front();
    const SearchSpace space = enumerate(spec, problem, device).space;
    for (std::size_t i = 0; i < space.size(); ++i) {
      const Config config = space.config(i);
      if (config.find("KEEP_A") != 1) continue;
      for (const Problem& awkward : awkward_problems(spec, {problem, config, device})) {
        const Case of = {awkward, config, device};
        const auto floats = value_of(spec, "a_vec", of);
        const LaunchPlan launch = only_launch(plan_steps(spec, of)).value();
        ASSERT_LE(launch.block[0] * floats, *config.find("BM") * *config.find("BK"))
            << config.text() << ' ' << awkward.text();
        const auto slices = *config.find("STAGES") * (slice_bytes(config, floats) +
                                                      4 * *config.find("BK") * *config.find("BN"));
        ASSERT_GE(launch.shared_bytes, slices) << config.text() << ' ' << awkward.text();
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 100U);
}

TEST(ShallowSlices, HoldASmallKAndFitOnAwkwardSizes) {
  const std::filesystem::path root = GTUNE_SOURCE_DIR;
  const KernelSpec spec = read_spec(root / "tuner_configs/sgemm.toml", {{root / "kernels"}});
  const DeviceFacts device = typical_device("sm_90");
  std::size_t checked = 0;
  for (const std::int64_t k : {1, 4, 5, 8, 9, 31, 32, 33}) {
    const Problem problem =
        expand_problems(spec, {{"M", {512}}, {"N", {512}}, {"K", {k}}, {"TB", {1}}}).front();
    const SearchSpace space = enumerate(spec, problem, device).space;
    for (std::size_t i = 0; i < space.size(); ++i) {
      const Config config = space.config(i);
      if (config.find("STAGES") != 1) continue;
      const auto depth = value_of(spec, "slice_depth", {problem, config, device});
      ASSERT_TRUE(depth >= k && depth < k + 8) << k;
      for (const Problem& awkward : awkward_problems(spec, {problem, config, device})) {
        const LaunchPlan launch = only_launch(plan_steps(spec, {awkward, config, device})).value();
        ASSERT_LE(launch.shared_bytes, device.shared_per_block_optin)
            << config.text() << ' ' << awkward.text();
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 100U);
}

}  // namespace
}  // namespace gtune
