#include "spec/size_constraints.hpp"

#include <gtest/gtest.h>

#include <random>

#include "spec/device_table.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {
namespace {

/// Two parameters of a valid configuration at random, so that many are valid.
Config altered(const KernelSpec& spec, Config config, std::mt19937& random) {
  for (int i = 0; i < 2; ++i) {
    const Parameter& param = spec.params[random() % spec.params.size()];
    config.set(param.name, param.values[random() % param.values.size()]);
  }
  return config;
}

TEST(SizeConstraints, HoldWhereTheSpecsDo) {
  const std::filesystem::path root = GTUNE_SOURCE_DIR;
  const std::vector<std::filesystem::path> kernels = {root / "kernels"};
  std::mt19937 random(1);
  const Config of_sgemm = {{"BM", 64},   {"BN", 256},      {"BK", 16},     {"TM", 16},
                           {"TN", 8},    {"LANE_ROWS", 4}, {"STAGES", 3},  {"MIN_BLOCKS", 2},
                           {"SPLIT", 0}, {"K_LANES", 1},   {"K_WARPS", 1}, {"UNROLL", 1},
                           {"KEEP_A", 0}};
  const Config of_transpose = {{"KIND", 0},      {"TILE_R", 64}, {"TILE_C", 64},
                               {"THREADS", 256}, {"WIDTH", 16},  {"STAGES", 1},
                               {"SQUARES", 1},   {"STRIPS", 1},  {"BAND", 0}};
  for (const auto& [name, base] :
       {std::pair("sgemm", of_sgemm), std::pair("transpose", of_transpose)}) {
    const KernelSpec spec =
        read_spec(root / "tuner_configs" / (std::string(name) + ".toml"), kernels);
    std::vector<Problem> problems;
    const std::string size = spec.sizes.front().name;
    for (const std::int64_t n : {1, 3, 64, 100, 1000, 4096}) {
      problems.push_back(expand_problems(spec, {{size, {n}}}).front());
    }
    std::size_t valid = 0;
    for (int i = 0; i < 4000; ++i) {
      const Config config = altered(spec, base, random);
      const DeviceFacts device = typical_device(i % 2 == 0 ? "sm_90" : "sm_80");
      const SizeConstraints constraints(spec, OpenSizes(spec, config, device));
      const Problem& problem = problems[static_cast<std::size_t>(i) % problems.size()];
      const bool holds = constraints.hold(size_slots(spec, problem));
      ASSERT_EQ(holds, satisfies(spec, {problem, config, device}))
          << name << ' ' << config.text() << ' ' << problem.text();
      valid += holds ? 1 : 0;
    }
    EXPECT_GT(valid, 100U) << name;
  }
}

}  // namespace
}  // namespace gtune
