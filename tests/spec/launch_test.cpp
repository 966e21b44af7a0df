#include <gtest/gtest.h>

#include "model/error.hpp"
#include "spec/device_table.hpp"
#include "spec/evaluate.hpp"
#include "spec/spec_file.hpp"

namespace gtune {
namespace {

std::string launched_spec(const std::string& keys) {
  std::string text = spec_text("BLOCK = [32]\nCLUSTER = [1, 2, 4]");
  const std::string block = "block = [\"32\"]\n";
  return text.replace(text.find(block), block.size(), block + keys + "\n");
}

TEST(LaunchSpec, ClustersCarveOutAndCooperation) {
  const KernelSpec spec =
      spec_of(launched_spec("cluster = [\"CLUSTER\"]\ncarveout = 50\ncooperative = true\n"
                            "programmatic = false"));
  const DeviceFacts& device = typical_device("sm_90");
  const Problem problem = {{"M", 6}, {"N", 6}};
  const Config pairs = {{"BLOCK", 32}, {"CLUSTER", 2}};
  const LaunchPlan plan = only_launch(plan_steps(spec, {problem, pairs, device})).value();
  EXPECT_EQ(plan.cluster, (std::array<std::int64_t, 3>{2, 1, 1}));
  EXPECT_EQ(plan.carveout, 50);
  EXPECT_TRUE(plan.cooperative);
  EXPECT_FALSE(plan.programmatic);
  EXPECT_FALSE(only_launch(spec.steps)->launch.is_plain());
  EXPECT_TRUE(satisfies(spec, {problem, pairs, device}));
  const Config fours = {{"BLOCK", 32}, {"CLUSTER", 4}};
  EXPECT_EQ(find_violation(spec, {problem, fours, device}),
            "launch: '(M) % (CLUSTER) == 0'");  // a grid consists of whole clusters
}

TEST(LaunchSpec, SaysWhatIsWrong) {
  const auto refusal = [](const std::string& keys) {
    try {
      (void)spec_of(launched_spec(keys));
    } catch (const UserError& error) {
      const std::string line = error.what();
      return line.substr(line.find("k.toml:") + 7);
    }
    return std::string("no error");
  };
  EXPECT_EQ(refusal("cooperative = 1"),
            "17:15: 'cooperative' of [launch] is an integer; expected a boolean");
  EXPECT_EQ(refusal("cluster = [1, 2, 3, 4]"),
            "17:11: 'cluster' of [launch] has 4 dimensions; expected 1 to 3");
  EXPECT_EQ(refusal("cooperativ = true"),
            "17:1: unknown key 'cooperativ' in [launch]; did you mean 'cooperative'?");
}

TEST(LaunchSpec, RegistersMayBeBoundedPerConfiguration) {
  std::string text = spec_text("REGISTERS = [32, 64]");
  text.insert(text.find("entry = "), "options = [\"--maxrregcount={REGISTERS}\"]\n");
  const KernelSpec spec = spec_of(text);
  EXPECT_EQ(compile_options(spec, {{"REGISTERS", 64}}),
            (std::vector<std::string>{"--maxrregcount=64"}));
}

}  // namespace
}  // namespace gtune
