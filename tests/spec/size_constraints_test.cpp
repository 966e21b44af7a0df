#include "spec/size_constraints.hpp"

#include <gtest/gtest.h>

#include <random>

#include "spec/device_table.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {
namespace {

/// Values of the spec's parameters at random, valid or not.
Config random_config(const KernelSpec& spec, std::mt19937& random) {
  Config config;
  for (const Parameter& param : spec.params) {
    config.set(param.name, param.values[random() % param.values.size()]);
  }
  return config;
}

TEST(SizeConstraints, HoldWhereTheSpecsDo) {
  const std::filesystem::path root = GTUNE_SOURCE_DIR;
  const std::vector<std::filesystem::path> kernels = {root / "kernels"};
  std::mt19937 random(1);
  for (const char* name : {"sgemm", "transpose", "sgemm_tf32x3"}) {
    const KernelSpec spec =
        read_spec(root / "tuner_configs" / (std::string(name) + ".toml"), kernels);
    std::vector<Problem> problems;
    const std::string size = spec.sizes.front().name;
    for (const std::int64_t n : {1, 3, 64, 100, 1000, 4096}) {
      problems.push_back(expand_problems(spec, {{size, {n}}}).front());
    }
    std::size_t valid = 0;
    for (int i = 0; i < 20000; ++i) {
      const Config config = random_config(spec, random);
      const DeviceFacts device = typical_device(i % 2 == 0 ? "sm_90" : "sm_75");
      const SizeConstraints constraints(spec, config, device);
      const Problem& problem = problems[static_cast<std::size_t>(i) % problems.size()];
      const bool holds = constraints.hold(problem);
      ASSERT_EQ(holds, satisfies(spec, {problem, config, device}))
          << name << ' ' << config.text() << ' ' << problem.text();
      valid += holds ? 1 : 0;
    }
    EXPECT_GT(valid, 0U) << name;
  }
}

}  // namespace
}  // namespace gtune
