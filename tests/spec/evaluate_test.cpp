#include "spec/evaluate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/error.hpp"
#include "spec/awkward_problems.hpp"
#include "spec/device_table.hpp"
#include "spec/spec_file.hpp"

namespace gtune {
namespace {

const std::string valued_spec = R"toml([kernel]
source = "k.cu"
entry = "ns::product<BM, float, BN+1>"
options = ["-DX={BM}_{STAGES}_{BM}", "--use_fast_math"]
[problem]
M = 1000
N = { default = "M/2", minimum = 2 }
[params]
BM = [32, 64]
BN = [8, 16]
STAGES = [0, 2]
[let]
threads = "BM*BN"
[constraints]
warps = "threads % 512 == 0"
smem = "shared_bytes <= 1000"
[launch]
grid = ["ceil_div(N, BN)", "M - 999", 2]
block = ["threads", "STAGES"]
shared = "STAGES*BM*4"
[[args]]
name = "M"
type = "u8"
value = "M"
[[args]]
name = "alpha"
type = "f32"
value = "1.0/M"
[[args]]
name = "A"
type = "f64"
count = "M*N*dev_sm_count - 1"
fill = { constant = 2.5 }
[[args]]
name = "w"
type = "f32"
count = "M*STAGES"
direction = "workspace"
[[args]]
name = "y"
type = "f32"
count = "N"
direction = "out"
[work]
flops = "M*N/3"
[check]
reference = { entry = "r", grid = ["ceil_div(M, 16)"], block = [16, 2], shared = 8 }
rtol = "1e-6*sqrt(M)"
atol = 0.5
also = [ { M = 7 }, { M = "BM+1", N = "M*2" }, { M = 3 }, { N = "BM - 32" } ]
[[baselines]]
name = "naive"
entry = "naive"
grid = ["M"]
block = ["BM"]
)toml";

class Evaluate : public testing::Test {
 protected:
  /// The message of the UserError that `action` throws, without the file.
  template <typename F>
  std::string error(F action) {
    try {
      (void)action();
    } catch (const UserError& caught) {
      const std::string line = caught.what();
      return line.substr(std::min(line.find(".toml: ") + 7, line.size()));
    }
    return "no error";
  }

  KernelSpec spec = spec_of(valued_spec);
  DeviceFacts device = typical_device("sm_90");
  Problem problem = {{"M", 200}, {"N", 100}};
  Problem large = {{"M", 1000}, {"N", 500}};
  Config config = {{"BM", 32}, {"BN", 16}, {"STAGES", 2}};
};

TEST_F(Evaluate, PlansLaunches) {
  const LaunchPlan launch = only_launch(plan_steps(spec, {large, config, device})).value();
  EXPECT_EQ(launch.grid, (std::array<std::int64_t, 3>{32, 1, 2}));
  EXPECT_EQ(launch.block, (std::array<std::int64_t, 3>{512, 2, 1}));
  EXPECT_EQ(launch.shared_bytes, 256);
  const LaunchPlan reference =
      only_launch(plan_reference_steps(spec, {problem, {}, device})).value();
  EXPECT_EQ(reference.grid, (std::array<std::int64_t, 3>{13, 1, 1}));
  EXPECT_EQ(reference.shared_bytes, 8);
  const LaunchPlan baseline =
      only_launch(plan_baseline_steps(spec, spec.baselines[0], {problem, config, device})).value();
  EXPECT_EQ(baseline.block, (std::array<std::int64_t, 3>{32, 1, 1}));
}

TEST_F(Evaluate, RefusesLaunchesOfNothing) {
  EXPECT_EQ(error([&] {
              return plan_steps(spec, {problem, config, device});
            }),
            "grid of [launch] for M=200 with BM=32,BN=16,STAGES=2: 'M - 999' is -799; "
            "expected at least 1");
  config.set("STAGES", 0);
  EXPECT_EQ(error([&] {
              return plan_steps(spec, {large, config, device});
            }),
            "block of [launch] for M=1000 with BM=32,BN=16,STAGES=0: 'STAGES' is 0; "
            "expected at least 1");
  config.set("BN", 0);
  EXPECT_NE(error([&] {
              return plan_steps(spec, {large, config, device});
            }).find("division by zero"),
            std::string::npos);
}

TEST_F(Evaluate, PlansArguments) {
  const auto plans = plan_arguments(spec, {problem, config, device});
  ASSERT_EQ(plans.size(), 5U);
  EXPECT_EQ(std::get<ScalarPlan>(plans[0]).integer, 200);
  EXPECT_DOUBLE_EQ(std::get<ScalarPlan>(plans[1]).real, 0.005);
  const auto& buffer = std::get<BufferPlan>(plans[2]);
  EXPECT_EQ(buffer.count, 200 * 100 * 132 - 1);
  EXPECT_EQ(buffer.type, ElementType::f64);
  EXPECT_EQ(buffer.fill.kind, FillKind::constant);
  EXPECT_EQ(buffer.fill.low, 2.5);
  EXPECT_EQ(std::get<BufferPlan>(plans[3]).count, 400);
  EXPECT_EQ(std::get<BufferPlan>(plans[3]).direction, Direction::workspace);
}

TEST_F(Evaluate, PlansTheReferencesOwnArguments) {
  const std::string args =
      "args = [\"A\", \"y\", { name = \"twice\", type = \"i64\", value = \"2*M\" }], ";
  std::string text = valued_spec;
  spec = spec_of(text.insert(text.find("entry = ", text.find("reference = ")), args));
  const auto plans = plan_reference_arguments(spec, {problem, {}, device});
  ASSERT_EQ(plans.size(), 3U);
  EXPECT_EQ(std::get<BufferPlan>(plans[0]).count, 200 * 100 * 132 - 1);
  EXPECT_EQ(std::get<ScalarPlan>(plans[2]).integer, 400);
}

TEST_F(Evaluate, RefusesArgumentsThatCannotBe) {
  EXPECT_EQ(error([&] {
              return plan_arguments(spec, {large, config, device});
            }),
            "value of 'M' for M=1000 with BM=32,BN=16,STAGES=2: 1000 does not fit into u8");
  const Problem zero = {{"M", 0}, {"N", 100}};
  EXPECT_NE(error([&] {
              return plan_arguments(spec, {zero, config, device});
            }).find("'alpha'"),
            std::string::npos);
  problem.set("N", std::int64_t{1} << 60);
  EXPECT_NE(error([&] {
              return plan_arguments(spec, {problem, config, device});
            }).find("count of 'A'"),
            std::string::npos);
  problem.set("N", std::int64_t{1} << 46);  // fits as a count, not as bytes
  EXPECT_NE(error([&] {
              return plan_arguments(spec, {problem, config, device});
            }).find("its bytes overflow 64 bits"),
            std::string::npos);
  problem.set("N", -1);
  EXPECT_NE(error([&] {
              return plan_arguments(spec, {problem, config, device});
            }).find("expected at least 0"),
            std::string::npos);
}

TEST_F(Evaluate, ComputesWorkAndTolerance) {
  EXPECT_DOUBLE_EQ(*work_flops(spec, problem), 20000.0 / 3);
  EXPECT_FALSE(work_bytes(spec, problem));
  const auto checks = plan_output_checks(spec, problem, device);
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_DOUBLE_EQ(checks[0].rtol, 1e-6 * std::sqrt(200.0));
  EXPECT_DOUBLE_EQ(checks[0].atol, 0.5);
  EXPECT_EQ(checks[0].count, 100);
}

TEST_F(Evaluate, PutsParametersIntoTheEntryOrIntoMacros) {
  EXPECT_EQ(instantiate_entry(only_launch(spec.steps)->entry, config),
            "ns::product<32, float, 16+1>");
  EXPECT_EQ(instantiate_entry("BM", config), "BM");
  EXPECT_EQ(instantiate_entry("k<BMX, 2BM, BM>", config), "k<BMX, 2BM, 32>");
  EXPECT_EQ(compile_options(spec, config),
            (std::vector<std::string>{"-DX=32_2_32", "--use_fast_math"}));
  EXPECT_EQ(possible_macros(spec), std::vector<std::string>{"STAGES"});
}

TEST_F(Evaluate, ComputesTheMacrosThatTheSpecSays) {
  EXPECT_TRUE(stated_macros(spec, {problem, config, device}).empty());
  std::string text = valued_spec;
  text.replace(text.find("[problem]"), 0,
               "macros = { N = \"N\", STAGES = \"threads/STAGES\", SEVEN = 7 }\n");
  const KernelSpec said = spec_of(text);
  EXPECT_EQ(stated_macros(said, {large, config, device}).text(), "N=500,STAGES=256,SEVEN=7");
  EXPECT_TRUE(possible_macros(said).empty());  // stated, so not to be defined by value
  EXPECT_TRUE(satisfies(said, {large, config, device}));
  config.set("STAGES", 0);
  EXPECT_EQ(error([&] {
              return stated_macros(said, {large, config, device});
            }),
            "macro 'STAGES' for M=1000 with BM=32,BN=16,STAGES=0: 'threads/STAGES': division "
            "by zero");
  text.replace(text.find("\"threads\", \"STAGES\"]"), 20, "\"threads\"]");
  EXPECT_EQ(find_violation(spec_of(text), {large, config, device}),
            "launch: '0 * (threads/STAGES) == 0'");
}

TEST_F(Evaluate, PutsSizesAndLetsIntoTheEntry) {
  EXPECT_EQ(entry_for(spec, "k<threads, M, BM, float>", {problem, config, device}),
            "k<512, 200, 32, float>");
}

TEST_F(Evaluate, AwkwardProblemsKeepTheMeasuredChoices) {
  std::string text = valued_spec;
  text.replace(text.find("[params]"), 0, "T = { default = 1, choices = [1, 2] }\n");
  const KernelSpec chosen = spec_of(text);
  const std::vector<Problem> problems =
      awkward_problems(chosen, {{{"M", 200}, {"N", 100}, {"T", 2}}, config, device});
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0].text(), "M=7,N=3,T=2");
}

TEST_F(Evaluate, MakesAwkwardProblems) {
  const std::vector<Problem> problems = awkward_problems(spec, {problem, config, device});
  ASSERT_EQ(problems.size(), 2U);  // others, such as M = 3, would have N below its minimum
  EXPECT_EQ(problems[0].text(), "M=7,N=3");
  EXPECT_EQ(problems[1].text(), "M=33,N=66");
}

TEST(ExistenceRules, HaveNoDoubledParentheses) {
  const KernelSpec spec =
      spec_of(spec_text("L = [\"a\", \"b\"]\nP = { values = [1, 2], when = \"L == 'b'\" }\n"
                        "Q = { values = [1, 2], when = \"P == 2\" }\n"));
  EXPECT_EQ(spec.constraints[0].expression.text(), "(L == 'b') || P == 1");
  EXPECT_EQ(spec.constraints[1].expression.text(), "(P == 2) && (L == 'b') || Q == 1");
}

TEST_F(Evaluate, NamesTheViolatedConstraint) {
  EXPECT_TRUE(satisfies(spec, {large, config, device}));
  EXPECT_EQ(find_violation(spec, {problem, config, device}), "launch: '(M - 999) >= 1'");
  config.set("BN", 8);
  EXPECT_EQ(find_violation(spec, {large, config, device}), "warps: 'threads % 512 == 0'");
  config = {{"BM", 128}, {"BN", 16}, {"STAGES", 2}};
  EXPECT_EQ(find_violation(spec, {large, config, device}), "smem: 'shared_bytes <= 1000'");
  EXPECT_FALSE(satisfies(spec, {large, config, device}));
}

}  // namespace
}  // namespace gtune
