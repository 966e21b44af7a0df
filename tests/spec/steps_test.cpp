#include <gtest/gtest.h>

#include "model/error.hpp"
#include "spec/device_table.hpp"
#include "spec/evaluate.hpp"
#include "spec/spec_file.hpp"

namespace gtune {
namespace {

const std::string good_steps = R"toml([[steps]]
name = "clear"
entry = "zero"
setup = true
grid = [1]
block = [32]
args = ["sums"]
[[steps]]
entry = "add<BLOCK>"
grid = ["ceil_div(n, BLOCK)"]
block = ["BLOCK"]
shared = "BLOCK * 4"
args = ["sums", { name = "x", offset = "n / 2" }]
[[steps]]
entry = "finish<WIDE>"
grid = [1]
block = ["64 * WIDE"]
shared = 1024
args = ["y", "sums"]
when = "SPLIT > 1"
)toml";

std::string steps_spec(const std::string& steps = good_steps, const std::string& constraint = "",
                       const std::string& entry = "", const std::string& more = "") {
  return "[kernel]\nsource = \"k.cu\"\n" + entry +
         "[problem]\nn = 1000\n[params]\nBLOCK = [32, 64]\nSPLIT = [1, 2]\n"
         "[let]\nWIDE = \"1000 / (SPLIT - 1) / 500\"\n[constraints]\n" +
         constraint + steps + R"toml([[args]]
name = "x"
type = "f32"
count = "n"
[[args]]
name = "y"
type = "f32"
count = 1
direction = "out"
[[args]]
name = "sums"
type = "f64"
count = 8
direction = "workspace"
[check]
reference = { entry = "right", grid = [1], block = [32], args = ["x", "y"] }
rtol = 0.0
)toml" + more;
}

std::string steps_refusal(const std::string& text) {
  try {
    (void)spec_of(text);
  } catch (const UserError& error) {
    const std::string line = error.what();
    return line.substr(line.find("k.toml:") + 7);
  }
  return "no error";
}

std::string steps_with(std::string text, const std::string& part, const std::string& other) {
  const auto at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

class StepsSpec : public testing::Test {
 protected:
  [[nodiscard]] std::vector<StepPlan> plan(std::int64_t block, std::int64_t split) const {
    const Config config = {{"BLOCK", block}, {"SPLIT", split}};
    return plan_steps(spec, {problem, config, device});
  }
  [[nodiscard]] std::optional<std::string> violation(const KernelSpec& of, std::int64_t block,
                                                     std::int64_t split) const {
    const Config config = {{"BLOCK", block}, {"SPLIT", split}};
    return find_violation(of, {problem, config, device});
  }

  KernelSpec spec = spec_of(steps_spec());
  DeviceFacts device = typical_device("sm_90");
  Problem problem = {{"n", 1000}};
};

TEST_F(StepsSpec, EachHasItsKernelLaunchAndArgumentsInOrder) {
  const std::vector<StepPlan> steps = plan(64, 2);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].name, "clear");
  EXPECT_EQ(steps[1].name, "add");
  EXPECT_TRUE(steps[0].setup && !steps[1].setup && !steps[2].setup);
  const auto& add = std::get<KernelLaunch>(steps[1].action);
  EXPECT_EQ(add.kernel, "add<64>");
  EXPECT_EQ(add.launch.grid[0], 16);
  EXPECT_EQ(add.launch.shared_bytes, 256);
  ASSERT_EQ(add.arguments.size(), 2U);
  EXPECT_EQ(add.arguments[0].index, 2U);
  EXPECT_EQ(add.arguments[1].index, 0U);
  EXPECT_EQ(add.arguments[1].offset, 500);
  EXPECT_EQ(std::get<KernelLaunch>(steps[2].action).kernel, "finish<2>");
}

TEST_F(StepsSpec, OneThatIsLeftOutIsNeitherRunNorCompiledNorPutToNumbers) {
  EXPECT_EQ(plan(32, 1).size(), 2U);
  EXPECT_FALSE(violation(spec, 32, 1));  // though WIDE has no value there
  const Config config = {{"BLOCK", 32}, {"SPLIT", 1}};
  EXPECT_EQ(entries_for(spec, spec.steps, {problem, config, device}),
            (std::vector<std::string>{"zero", "add<32>"}));
}

TEST_F(StepsSpec, ALaunchOfNothingExcludesAConfigurationOnlyWhereItIsMade) {
  const KernelSpec nothing = spec_of(steps_spec(steps_with(good_steps, "64 * WIDE", "SPLIT - 2")));
  EXPECT_FALSE(violation(nothing, 32, 1));
  EXPECT_EQ(violation(nothing, 32, 2), "launch: '(SPLIT > 1) == 0 || ((SPLIT - 2) >= 1)'");
}

TEST_F(StepsSpec, WhereNothingIsLeftToBeTimedAConfigurationIsExcluded) {
  const std::string only = good_steps.substr(0, good_steps.find("[[steps]]\nentry = \"add")) +
                           good_steps.substr(good_steps.find("[[steps]]\nentry = \"finish"));
  const KernelSpec spec_of_two = spec_of(steps_spec(only));
  EXPECT_EQ(violation(spec_of_two, 32, 1), "launch: '(SPLIT > 1)'");
  EXPECT_FALSE(violation(spec_of_two, 32, 2));
}

TEST_F(StepsSpec, ConstraintsSeeTheLargestLaunch) {
  const KernelSpec bounded =
      spec_of(steps_spec(good_steps, "few = \"threads_per_block <= 64 && shared_bytes < 1024\"\n"));
  EXPECT_FALSE(violation(bounded, 64, 1));
  EXPECT_TRUE(violation(bounded, 64, 2));
}

TEST_F(StepsSpec, TheShortFormIsOneStepWithAllArguments) {
  const KernelSpec one = spec_of(spec_text("B = [1]"));
  const Config config = {{"B", 1}};
  const Problem sizes = {{"M", 8}, {"N", 8}};
  const std::vector<StepPlan> steps = plan_steps(one, {sizes, config, device});
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(std::get<KernelLaunch>(steps[0].action).arguments.size(), 1U);
  EXPECT_NE(only_launch(one.steps), nullptr);
  EXPECT_EQ(only_launch(spec.steps), nullptr);
}

TEST_F(StepsSpec, EqualKernelsGetNumbersAndOneCompile) {
  const std::string twice = "[[steps]]\nentry = \"k\"\ngrid = [1]\nblock = [32]\nargs = [\"y\"]\n";
  const KernelSpec both = spec_of(steps_spec(twice + twice));
  EXPECT_EQ(both.steps[1].name, "k_2");
  const Config config = {{"BLOCK", 32}, {"SPLIT", 1}};
  EXPECT_EQ(entries_for(both, both.steps, {problem, config, device}),
            std::vector<std::string>{"k"});
}

TEST_F(StepsSpec, ABaselineHasAnEntryWithArgumentsOfItsOwnOrIsAConfiguration) {
  const KernelSpec compared = spec_of(steps_spec(
      good_steps, "", "",
      "[[baselines]]\nname = \"naive\"\nentry = \"naive\"\ngrid = [1]\nblock = [32]\n"
      "args = [\"y\", \"x\"]\n[[baselines]]\nname = \"small\"\nparams = { BLOCK = 32 }\n"));
  const Config config = {{"BLOCK", 32}, {"SPLIT", 2}};
  const Case of{problem, config, device};
  const auto naive = plan_baseline_steps(compared, compared.baselines[0], of);
  ASSERT_EQ(naive.size(), 1U);
  EXPECT_EQ(std::get<KernelLaunch>(naive[0].action).arguments[0].index, 1U);
  EXPECT_EQ(plan_baseline_steps(compared, compared.baselines[1], of).size(), 3U);
}

TEST_F(StepsSpec, AnOffsetBeyondTheBufferIsSaid) {
  const KernelSpec far = spec_of(steps_spec(steps_with(good_steps, "n / 2", "n + 1")));
  const Config config = {{"BLOCK", 32}, {"SPLIT", 1}};
  try {
    (void)plan_steps(far, {problem, config, device});
    FAIL() << "it was planned";
  } catch (const UserError& error) {
    const std::string line = error.what();
    EXPECT_NE(line.find("offset of 'x' in step 'add' for n=1000 with BLOCK=32,SPLIT=1: it is 1001, "
                        "and the buffer has 1000 elements"),
              std::string::npos)
        << line;
  }
}

struct Misuse {
  std::string part, other, line;
};

TEST_F(StepsSpec, SaysWhatIsWrongAndWhere) {
  const std::vector<Misuse> cases = {
      {"entry = \"add<BLOCK>\"\n", "", "18:1: this step has no 'entry'"},
      {"\"sums\", {", "\"sum\", {",
       "23:9: 'sum' in 'args' of step 'add' is none of [[args]]; did you mean 'sums'?"},
      {"name = \"x\", offset", "nam = \"x\", offset", "unknown key 'nam' in an entry of 'args'"},
      {"name = \"clear\"", "name = \"a b\"", "12:8: step 'a b' is no C identifier"},
      {"setup = true", "setup = 1",
       "14:9: 'setup' of step 'clear' is an integer; expected a boolean"},
      {"when = \"SPLIT", "when = \"SPLITS", "in 'when' of step 'finish': unknown name 'SPLITS'"},
      {"grid = [1]\nblock = [32]", "block = [32]", "11:1: step 'clear' has no 'grid'"},
      {"add<BLOCK>", "add<BLOK>", "18:1: 'BLOK' in the entry is no parameter, size or let"},
      {"entry = \"finish<WIDE>\"", "name = \"clear\"\nentry = \"finish<WIDE>\"",
       "25:8: step 'clear' is there twice; expected another name"},
      {"setup = true", "setp = true", "14:1: unknown key 'setp' in a step; did you mean 'setup'?"},
  };
  for (const Misuse& misuse : cases) {
    const std::string line =
        steps_refusal(steps_spec(steps_with(good_steps, misuse.part, misuse.other)));
    EXPECT_NE(line.find(misuse.line), std::string::npos) << line << "\n" << misuse.line;
  }
}

TEST_F(StepsSpec, TheShortFormAndStepsDoNotMix) {
  EXPECT_EQ(steps_refusal(steps_spec(good_steps, "", "entry = \"k\"\n")),
            "3:9: the spec has [[steps]] and 'entry' of [kernel]; expected one of the two");
  EXPECT_EQ(steps_refusal(steps_spec(good_steps + "[launch]\ngrid = [1]\nblock = [1]\n")),
            "31:1: the spec has [[steps]] and [launch]; expected one of the two");
}

TEST_F(StepsSpec, OnlyASetupIsNothingToTime) {
  const std::string setup = good_steps.substr(0, good_steps.find("[[steps]]\nentry = \"add"));
  EXPECT_NE(
      steps_refusal(steps_spec(setup)).find("no step launches a kernel beside those of the setup"),
      std::string::npos);
}

TEST_F(StepsSpec, AnOffsetIsABuffers) {
  const std::string scalar = "[[args]]\nname = \"m\"\ntype = \"i32\"\nvalue = 1\n";
  const std::string steps = steps_with(good_steps, "name = \"x\"", "name = \"m\"");
  EXPECT_NE(
      steps_refusal(steps_spec(steps, "", "", scalar)).find("has an 'offset' and is no buffer"),
      std::string::npos);
}

TEST_F(StepsSpec, ABaselinesArgumentsNeedAnEntry) {
  const std::string line = steps_refusal(
      steps_spec(good_steps, "", "",
                 "[[baselines]]\nname = \"small\"\nparams = { BLOCK = 32 }\nargs = [\"y\"]\n"));
  EXPECT_NE(line.find("baseline 'small' has 'args' and no 'entry'"), std::string::npos) << line;
}

}  // namespace
}  // namespace gtune
