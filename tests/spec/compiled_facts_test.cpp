// Launches and constraints that use what the compiler reports of a kernel.
#include <gtest/gtest.h>

#include <vector>

#include "model/error.hpp"
#include "spec/device_table.hpp"
#include "spec/evaluate.hpp"
#include "spec/spec_file.hpp"

namespace gtune {
namespace {

std::string replaced(std::string text, const std::string& part, const std::string& other) {
  const auto at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

/// A spec with a block of BLOCK threads. `keys` are further keys of the launch.
std::string launched(const std::string& keys, const std::string& constraints = "") {
  return replaced(spec_text("BLOCK = [32, 64]", constraints),
                  "grid = [\"M\"]\nblock = [\"32\"]\nshared = \"0\"",
                  "block = [\"BLOCK\"]\n" + keys);
}

ResourceUsage usage(int registers, int stack_bytes, std::int64_t static_shared, int blocks) {
  ResourceUsage usage;
  usage.registers = registers;
  usage.stack_bytes = stack_bytes;
  usage.static_shared_bytes = static_shared;
  usage.blocks_per_sm = blocks;
  return usage;
}

std::string refusal(const std::string& text) {
  try {
    (void)spec_of(text);
  } catch (const UserError& error) {
    const std::string line = error.what();
    return line.substr(line.find("k.toml:") + 7);
  }
  return "no error";
}

class CompiledFactsTest : public testing::Test {
 protected:
  [[nodiscard]] LaunchPlan plan(const KernelSpec& spec, const CompiledFacts& facts = {}) const {
    return only_launch(plan_steps(spec, {problem, config, device}, facts)).value();
  }

  Problem problem = {{"M", 6}, {"N", 6}};
  Config config = {{"BLOCK", 64}};
  DeviceFacts device = typical_device("sm_90");
};

TEST_F(CompiledFactsTest, ALaunchFollowsFromThem) {
  const KernelSpec spec =
      spec_of(launched("grid = [\"dev_sm_count * resident_blocks\"]\n"
                       "shared = \"static_shared_bytes + 4 * registers\"\n"
                       "cluster = [\"local_bytes / 8\"]\ncarveout = \"10 * resident_blocks\""));
  EXPECT_TRUE(needs_facts(spec, spec.steps));
  std::vector<LaunchPlan> asked;
  const LaunchPlan launch = plan(spec, [&](const std::string& entry, const LaunchPlan& of) {
    EXPECT_EQ(entry, "k");
    asked.push_back(of);
    // Shared memory limits the number of blocks.
    return usage(40, 16, 1000, of.shared_bytes == 0 ? 9 : 3);
  });
  EXPECT_EQ(launch.shared_bytes, 1160);
  EXPECT_EQ(launch.grid[0], 132 * 3);
  EXPECT_EQ(launch.cluster[0], 2);
  EXPECT_EQ(launch.carveout, 30);
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(asked[0].block[0], 64);
  EXPECT_EQ(asked[1].shared_bytes, 1160);
  EXPECT_EQ(asked[1].carveout, -1);  // the carve-out itself follows from the blocks
}

TEST_F(CompiledFactsTest, BlocksAreResidentWithACarveOutThatDoesNotFollowFromThem) {
  const KernelSpec spec = spec_of(launched("grid = [\"resident_blocks\"]\ncarveout = 50"));
  std::int64_t carveout = 0;
  (void)plan(spec, [&](const std::string&, const LaunchPlan& of) {
    carveout = of.carveout;
    return usage(1, 0, 0, 1);
  });
  EXPECT_EQ(carveout, 50);
}

TEST_F(CompiledFactsTest, BeforeACompileALaunchHasTheLeastThatItMayHave) {
  const KernelSpec spec =
      spec_of(launched("grid = [\"100 * resident_blocks\", \"M\"]\nshared = \"registers\"\n"
                       "carveout = \"registers\""));
  const LaunchPlan launch = plan(spec);
  EXPECT_EQ(launch.grid, (std::array<std::int64_t, 3>{1, 6, 1}));
  EXPECT_EQ(launch.shared_bytes, 0);
  EXPECT_EQ(launch.carveout, -1);
  EXPECT_TRUE(satisfies(spec, {problem, config, device}));
}

TEST_F(CompiledFactsTest, ALaunchThatTheyMakeImpossibleIsRefused) {
  const auto line_of = [&](const std::string& keys) {
    try {
      (void)plan(spec_of(launched(keys)),
                 [](const std::string&, const LaunchPlan&) { return usage(101, 0, 0, 0); });
    } catch (const UserError& error) {
      const std::string line = error.what();
      return line.substr(line.find("k.toml: ") + 8);
    }
    return std::string("no error");
  };
  EXPECT_EQ(line_of("grid = [\"dev_sm_count * resident_blocks\"]"),
            "grid of [launch] for M=6 with BLOCK=64: 'dev_sm_count * resident_blocks' is 0; "
            "expected at least 1");
  EXPECT_EQ(line_of("grid = [1]\ncarveout = \"registers\""),
            "carve-out of [launch] for M=6 with BLOCK=64: 'registers' is 101; expected 100 at "
            "most");
}

TEST_F(CompiledFactsTest, AConstraintThatNamesThemIsJudgedAfterTheCompile) {
  const KernelSpec spec =
      spec_of(launched("grid = [1]\nshared = 512",
                       "small = \"BLOCK <= 64\"\nno_spills = \"local_bytes == 0\"\n"
                       "fits = \"shared_bytes + static_shared_bytes <= 1024\""));
  ASSERT_EQ(spec.constraints.size(), 1U);
  EXPECT_EQ(spec.constraints[0].name, "small");
  ASSERT_EQ(spec.compiled_constraints.size(), 2U);
  const Case of{problem, config, device};
  EXPECT_TRUE(satisfies(spec, of));
  EXPECT_EQ(find_compiled_violation(spec, of, usage(32, 0, 512, 1)), std::nullopt);
  EXPECT_EQ(find_compiled_violation(spec, of, usage(32, 8, 0, 1)), "no_spills: 'local_bytes == 0'");
  EXPECT_EQ(find_compiled_violation(spec, of, usage(32, 0, 513, 1)),
            "fits: 'shared_bytes + static_shared_bytes <= 1024'");
}

TEST_F(CompiledFactsTest, ASpecsOwnNameHidesOne) {
  const std::string lets = "registers = \"BLOCK / 2\"\nhalf = \"registers / 2\"";
  const KernelSpec spec = spec_of(spec_text("BLOCK = [32, 64]", "few = \"registers < 20\"", lets));
  EXPECT_EQ(spec.constraints.size(), 1U);
  EXPECT_TRUE(spec.compiled_constraints.empty());
  EXPECT_FALSE(satisfies(spec, {problem, config, device}));
  const KernelSpec of_parameter =
      spec_of(spec_text("registers = [32, 64]", "few = \"registers < 40\""));
  EXPECT_TRUE(satisfies(of_parameter, {problem, {{"registers", 32}}, device}));
  EXPECT_FALSE(satisfies(of_parameter, {problem, {{"registers", 64}}, device}));
}

TEST_F(CompiledFactsTest, WhatACompileNeedsCannotFollowFromThem) {
  const std::string only_later =
      "is known only after a compile; expected it in [constraints], or in 'grid', 'shared', "
      "'cluster' or 'carveout' of a launch";
  const auto line_after_place = [&](const std::string& text) {
    const std::string line = refusal(text);
    return line.substr(line.find(' ') + 1);
  };
  EXPECT_EQ(refusal(spec_text("BLOCK = [32]", "", "a = \"registers + 1\"")),
            "10:5: in let 'a': 'registers' " + only_later);
  EXPECT_EQ(line_after_place(spec_text("BLOCK = [32]", "", "", "registers")),
            "in 'block' of [launch]: 'registers' " + only_later);
  EXPECT_EQ(line_after_place(replaced(spec_text("BLOCK = [32]"), "count = \"M\"",
                                      "count = \"M * resident_blocks\"")),
            "in 'count' of argument 'A': 'resident_blocks' " + only_later);
  EXPECT_EQ(line_after_place(replaced(spec_text("BLOCK = [32]"), "entry = \"k\"\n",
                                      "entry = \"k\"\nmacros = { R = \"registers\" }\n")),
            "in macro 'R': 'registers' " + only_later);
  EXPECT_EQ(line_after_place(spec_text("BLOCK = [32]\nX = { values = [1], when = \"registers\" }")),
            "in 'when' of parameter 'X': 'registers' " + only_later);
  EXPECT_EQ(line_after_place(spec_text("BLOCK = [32]", "", "", "32", "resident_blocks")),
            "'shared' of [launch] depends on 'resident_blocks', which follows from it; expected "
            "other names");
}

/// Two steps. The second has `shared` as its shared memory.
std::string stepwise(const std::string& shared, const std::string& constraints = "") {
  std::string text = replaced(spec_text("BLOCK = [32, 64]", constraints), "entry = \"k\"\n", "");
  const std::string launch = "block = [\"BLOCK\"]\ngrid = [\"resident_blocks\"]\n";
  return replaced(text, "[launch]\ngrid = [\"M\"]\nblock = [\"32\"]\nshared = \"0\"",
                  "[[steps]]\nentry = \"a\"\n" + launch + "[[steps]]\nentry = \"b\"\n" + launch +
                      "shared = \"" + shared + "\"");
}

TEST_F(CompiledFactsTest, EachStepHasThoseOfItsOwnKernel) {
  const KernelSpec spec = spec_of(stepwise("registers"));
  const auto steps =
      plan_steps(spec, {problem, config, device}, [](const std::string& entry, const LaunchPlan&) {
        return entry == "a" ? usage(10, 0, 0, 2) : usage(20, 0, 0, 5);
      });
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(std::get<KernelLaunch>(steps[0].action).launch.grid[0], 2);
  EXPECT_EQ(std::get<KernelLaunch>(steps[1].action).launch.grid[0], 5);
  EXPECT_EQ(std::get<KernelLaunch>(steps[1].action).launch.shared_bytes, 20);
}

TEST_F(CompiledFactsTest, SharedMemoryOfSeveralStepsThatFollowsFromThemIsInNoConstraint) {
  EXPECT_EQ(spec_of(stepwise("registers", "few = \"registers < 64\"")).compiled_constraints.size(),
            1U);
  EXPECT_EQ(spec_of(stepwise("BLOCK", "few = \"shared_bytes < 64\"")).constraints.size(), 1U);
  EXPECT_EQ(refusal(stepwise("registers", "few = \"shared_bytes < 64\"")),
            "11:7: constraint 'few' names 'shared_bytes' of several launches, which depends on "
            "what the compiler reports for each; expected it only in a spec with one launch");
}

}  // namespace
}  // namespace gtune
