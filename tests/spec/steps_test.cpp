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
  EXPECT_FALSE(violation(spec, 32, 1));  // although WIDE has no value there
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
                        "but the buffer has 1000 elements"),
              std::string::npos)
        << line;
  }
}

struct Misuse {
  std::string part, other, line;
};

TEST_F(StepsSpec, SaysWhatIsWrongAndWhere) {
  const std::vector<Misuse> cases = {
      {"entry = \"add<BLOCK>\"\n", "",
       "18:1: this step does nothing; expected one of entry, copy and fill"},
      {"\"sums\", {", "\"sum\", {",
       "23:9: 'sum' in 'args' of step 'add' is none of [[args]]; did you mean 'sums'?"},
      {"name = \"x\", offset", "nam = \"x\", offset", "unknown key 'nam' in an entry of 'args'"},
      {"name = \"clear\"", "name = \"a b\"", "12:8: step 'a b' is not a C identifier"},
      {"setup = true", "setup = 1",
       "14:9: 'setup' of step 'clear' is an integer; expected a boolean"},
      {"when = \"SPLIT", "when = \"SPLITS", "in 'when' of step 'finish': unknown name 'SPLITS'"},
      {"grid = [1]\nblock = [32]", "block = [32]", "11:1: step 'clear' has no 'grid'"},
      {"add<BLOCK>", "add<BLOK>", "18:1: 'BLOK' in the entry is not a parameter, size or let"},
      {"entry = \"finish<WIDE>\"", "name = \"clear\"\nentry = \"finish<WIDE>\"",
       "25:8: step 'clear' appears twice; expected another name"},
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
      steps_refusal(steps_spec(setup)).find("all steps are setups; expected one that is timed"),
      std::string::npos);
}

TEST_F(StepsSpec, AnOffsetIsABuffers) {
  const std::string scalar = "[[args]]\nname = \"m\"\ntype = \"i32\"\nvalue = 1\n";
  const std::string steps = steps_with(good_steps, "name = \"x\"", "name = \"m\"");
  EXPECT_NE(
      steps_refusal(steps_spec(steps, "", "", scalar)).find("has an 'offset' and is not a buffer"),
      std::string::npos);
}

TEST_F(StepsSpec, ABaselinesArgumentsNeedAnEntry) {
  const std::string line = steps_refusal(
      steps_spec(good_steps, "", "",
                 "[[baselines]]\nname = \"small\"\nparams = { BLOCK = 32 }\nargs = [\"y\"]\n"));
  EXPECT_NE(line.find("baseline 'small' has 'args' and no 'entry'"), std::string::npos) << line;
}

/// Copies in and out around a kernel. `keys` are those of the first copy.
std::string copies_spec(const std::string& keys, const std::string& memory = "pinned",
                        const std::string& more = "") {
  return R"toml([kernel]
source = "k.cu"
[problem]
n = 1000
[params]
HALF = [0, 1]
[[steps]]
copy = { from = "x", to = "device_x")toml" +
         keys + R"toml( }
[[steps]]
fill = { buffer = "sums" }
[[steps]]
entry = "k"
grid = [1]
block = [32]
args = ["device_x", "sums"]
[[steps]]
copy = { from = "sums", to = "y" }
)toml" + more +
         R"toml([[args]]
name = "x"
type = "f32"
count = "n"
memory = ")toml" +
         memory + R"toml("
[[args]]
name = "device_x"
type = "f32"
count = "n"
direction = "workspace"
[[args]]
name = "sums"
type = "f64"
count = 8
direction = "workspace"
[[args]]
name = "y"
type = "f64"
count = 8
direction = "out"
memory = "pageable"
[check]
reference = { entry = "r", grid = [1], block = [32], args = ["x", "y"] }
rtol = 1e-6
)toml";
}

class CopySteps : public StepsSpec {
 protected:
  [[nodiscard]] Case with_half(const Config& config) const { return {problem, config, device}; }

  Config whole = {{"HALF", 0}};
  Config half = {{"HALF", 1}};
};

TEST_F(CopySteps, HaveRangesOfTheirBuffers) {
  const KernelSpec copies =
      spec_of(copies_spec(", count = \"n / (1 + HALF)\", from_offset = \"HALF * 500\""));
  const std::vector<StepPlan> steps = plan_steps(copies, with_half(half));
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps[0].name, "copy");
  EXPECT_EQ(steps[3].name, "copy_2");
  const auto& in = std::get<BufferCopy>(steps[0].action);
  EXPECT_EQ(in.from.buffer, "x");
  EXPECT_EQ(in.from.offset, 500);
  EXPECT_EQ(in.to.offset, 0);
  EXPECT_EQ(in.to.count, 500);
  const auto& set = std::get<BufferSet>(steps[1].action);
  EXPECT_EQ(set.range.count, 8);
  EXPECT_EQ(set.byte, 0);
  EXPECT_EQ(std::get<BufferCopy>(steps[3].action).from.count, 8);
}

TEST_F(CopySteps, BuffersHaveKindsOfMemoryAndTheReferenceHasDeviceMemory) {
  const KernelSpec copies = spec_of(copies_spec(""));
  EXPECT_EQ(copies.find_buffer("x")->memory.kinds.front(), MemoryKind::pinned);
  EXPECT_EQ(copies.find_buffer("y")->memory.kinds.front(), MemoryKind::pageable);
  const auto arguments = plan_arguments(copies, with_half(whole));
  EXPECT_EQ(std::get<BufferPlan>(arguments[0]).memory, MemoryKind::pinned);
  const auto right = plan_reference_arguments(copies, with_half(whole));
  EXPECT_EQ(std::get<BufferPlan>(right[0]).memory, MemoryKind::device);
}

TEST_F(CopySteps, OneBeyondItsBufferExcludesAConfiguration) {
  const KernelSpec far = spec_of(copies_spec(", from_offset = \"HALF\""));
  EXPECT_FALSE(find_violation(far, with_half(whole)));
  EXPECT_EQ(find_violation(far, with_half(half)), "launch: '(HALF) + (n) <= (n)'");
}

/// The spec with a parameter MEMORY that chooses the kind of memory of `x`, and more steps.
std::string moved_spec(const std::string& values, const std::string& memory = "{MEMORY}",
                       const std::string& steps = "") {
  return steps_with(copies_spec("", memory, steps), "HALF = [0, 1]",
                    "HALF = [0, 1]\nMEMORY = [" + values + "]");
}

std::string launch_of_x(const std::string& when) {
  return "[[steps]]\nname = \"reads\"\nentry = \"k\"\n" + when +
         "grid = [1]\nblock = [32]\nargs = [\"x\", \"sums\"]\n";
}

TEST_F(CopySteps, AParameterMayChooseTheKindOfMemory) {
  const KernelSpec moved =
      spec_of(moved_spec("\"pageable\", \"pinned\", \"write_combined\", \"device\""));
  for (std::size_t i = 0; i < 4; ++i) {
    const Config config = {{"HALF", 0}, {"MEMORY", moved.find_param("MEMORY")->values[i]}};
    const auto arguments = plan_arguments(moved, with_half(config));
    EXPECT_EQ(std::get<BufferPlan>(arguments[0]).memory, moved.find_buffer("x")->memory.kinds[i]);
    EXPECT_EQ(std::get<BufferPlan>(arguments[3]).memory, MemoryKind::pageable);
    const auto right = plan_reference_arguments(moved, with_half(config));
    EXPECT_EQ(std::get<BufferPlan>(right[0]).memory, MemoryKind::device);
  }
  EXPECT_FALSE(moved.find_buffer("x")->passed);
  EXPECT_TRUE(spec_of(moved_spec("\"device\", \"mapped\"")).find_buffer("x")->passed);
}

TEST_F(CopySteps, ALaunchOfMemoryThatItDoesNotReachExcludesAConfiguration) {
  const std::string values = "\"mapped\", \"pinned\"";
  const KernelSpec moved = spec_of(moved_spec(values, "{MEMORY}", launch_of_x("")));
  const auto config_of = [&](std::size_t value) {
    return Config{{"HALF", 0}, {"MEMORY", moved.find_param("MEMORY")->values[value]}};
  };
  EXPECT_EQ(plan_steps(moved, with_half(config_of(0))).size(), 5U);
  try {
    (void)plan_steps(moved, with_half(config_of(1)));
    FAIL();
  } catch (const CaseError& error) {
    EXPECT_EQ(error.reason(),
              "'x' in 'args' of step 'reads': it is pinned memory, which kernels do not reach; "
              "expected device, mapped, write_combined or peer");
    EXPECT_EQ(error.keys(), (std::vector<std::string>{"steps", "reads"}));
  }
  const KernelSpec left_out =
      spec_of(moved_spec(values, "{MEMORY}", launch_of_x("when = \"MEMORY == 'mapped'\"\n")));
  EXPECT_EQ(plan_steps(left_out, with_half(config_of(1))).size(), 4U);
}

TEST_F(CopySteps, SayWhatIsWrongWithAParametersKindOfMemory) {
  const std::string values = "\"pageable\", \"pinned\"";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {moved_spec("\"pinned\", \"managed\""),
       "'memory' of argument 'x' is 'managed' with MEMORY=managed; expected device, pinned, "
       "pageable, mapped, write_combined or peer"},
      {moved_spec("1, 2"), "'memory' of argument 'x' is '1' with MEMORY=1; expected device"},
      {moved_spec(values, "{MEMROY}"),
       "'memory' of argument 'x' is '{MEMROY}', and 'MEMROY' is not a parameter; did you mean "
       "'MEMORY'?"},
      {moved_spec(values, "MEMORY"),
       "'memory' of argument 'x' is 'MEMORY'; expected device, pinned, pageable, mapped, "
       "write_combined or peer, or a parameter, as in \"{MEMORY}\""},
      {moved_spec(values, "{MEMORY}", launch_of_x("")),
       "'x' in 'args' of step 'reads' is pageable or pinned memory, which kernels do not reach"},
      {steps_with(moved_spec(values), "buffer = \"sums\"", "buffer = \"x\""),
       "step 'fill' fills 'x', which is pageable or pinned memory; expected device memory"},
      {steps_with(moved_spec(values), ", args = [\"x\", \"y\"] }", " }"),
       "'x' is pageable or pinned memory, and the reference has no 'args'"},
      {steps_with(moved_spec(values), "args = [\"x\", \"y\"] }",
                  "args = [\"x\", \"y\", { name = \"w\", type = \"f32\", count = 1, direction = "
                  "\"workspace\", memory = \"{MEMORY}\" }] }"),
       "'memory' of the reference's argument 'w' depends on parameter 'MEMORY'; expected a kind "
       "of memory"},
  };
  for (const auto& [text, line] : cases) {
    const std::string said = steps_refusal(text);
    EXPECT_NE(said.find(line), std::string::npos) << said << "\n" << line;
  }
}

TEST_F(CopySteps, NeedNoLaunch) {
  const std::string launch =
      "[[steps]]\nentry = \"k\"\ngrid = [1]\nblock = [32]\nargs = [\"device_x\", \"sums\"]\n";
  const KernelSpec none = spec_of(
      steps_with(steps_with(copies_spec(""), launch, ""), "[check]",
                 "[constraints]\nsmall = \"shared_bytes + threads_per_block < 1\"\n[check]"));
  EXPECT_EQ(plan_steps(none, with_half(whole)).size(), 3U);
  EXPECT_TRUE(entries_for(none, none.steps, with_half(whole)).empty());
  EXPECT_FALSE(find_violation(none, with_half(whole)));
}

std::string launches(std::size_t count, const std::string& block) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += "[[steps]]\nname = \"s" + std::to_string(i) + "\"\nentry = \"k\"\ngrid = [1]\n" +
            "block = [\"" + block + "\"]\nargs = [\"y\"]\n";
  }
  return text;
}

TEST(ManySteps, AreAsGoodAsFew) {
  const KernelSpec spec =
      spec_of(steps_spec(launches(150, "BLOCK"), "few = \"threads_per_block <= 32\"\n"));
  const Problem problem = {{"n", 1000}};
  const DeviceFacts device = typical_device("sm_90");
  const Config small = {{"BLOCK", 32}, {"SPLIT", 1}};
  const Config large = {{"BLOCK", 64}, {"SPLIT", 1}};
  EXPECT_FALSE(find_violation(spec, {problem, small, device}));
  EXPECT_EQ(find_violation(spec, {problem, large, device}), "few: 'threads_per_block <= 32'");
}

TEST(ManySteps, WithLongExpressionsAreRefusedInOneLine) {
  std::string block = "BLOCK";
  for (int i = 0; i < 150; ++i) block += " + 0 * BLOCK";
  const std::string line = ": the expression is too long; expected fewer or shorter ones";
  std::string said = steps_refusal(steps_spec(launches(20, block)));
  EXPECT_TRUE(said.starts_with("11:1: these expressions together, 'max(max(")) << said;
  EXPECT_NE(said.find(line), std::string::npos) << said;

  std::string longest = "BLOCK";
  for (int i = 0; i < 832; ++i) longest += " + 0 * BLOCK";
  said = steps_refusal(steps_spec(launches(1, longest)));
  EXPECT_NE(said.find(line), std::string::npos) << said;
}

TEST_F(CopySteps, SayWhatIsWrongAndWhere) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {copies_spec(", count = 9, colour = 1"), "8:50: unknown key 'colour' in 'copy'"},
      {steps_with(copies_spec(""), "from = \"x\"", "from = \"z\""),
       "8:17: 'from' of step 'copy' is 'z', which is not a buffer of [[args]]"},
      {steps_with(copies_spec(""), "to = \"device_x\"", "to = \"sums\""),
       "8:8: step 'copy' copies f32 to f64; expected buffers of one type"},
      {steps_with(copies_spec(""), "to = \"y\"", "to = \"y\", count = 9"),
       "17:17: step 'copy_2' goes from element 0 to 9 of 'sums', which has 8"},
      {steps_with(copies_spec(""), "to = \"y\"", "to = \"sums\""),
       "17:8: step 'copy_2' copies 'sums' to itself; expected two buffers"},
      {steps_with(copies_spec(""), "buffer = \"sums\"", "buffer = \"sums\", value = 1"),
       "10:35: 'value' of 'fill' of step 'fill' is 1; expected one whose bytes are all the same"},
      {steps_with(copies_spec(""), "buffer = \"sums\"", "buffer = \"x\""),
       "step 'fill' fills 'x', which is pinned memory; expected device memory"},
      {steps_with(copies_spec(""), "args = [\"device_x\"", "args = [\"x\""),
       "15:9: 'x' in 'args' of step 'k' is pinned memory, which kernels do not reach"},
      {copies_spec("", "shared"), "'memory' of argument 'x' is 'shared'; expected device, pinned"},
      {steps_with(copies_spec(""), "[[steps]]\nfill", "[[steps]]\ngrid = [1]\nfill"),
       "10:8: step 'fill' has 'grid' and launches nothing; expected it beside 'entry'"},
      {steps_with(copies_spec(""), "entry = \"k\"", "entry = \"k\"\nfill = { buffer = \"sums\" }"),
       "this step has 'fill' and does something else; expected one of entry, copy and fill"},
      {steps_with(copies_spec("", "device"), "{ buffer = \"sums\" }", "{ buffer = \"x\" }"),
       "10:19: step 'fill' fills 'x', which is an input; expected out, inout or workspace"},
      {steps_with(copies_spec(""), "count = \"n\"\ndirection = \"workspace\"", "count = \"n\""),
       "8:27: step 'copy' copies into 'device_x', which is an input; expected out, inout or "
       "workspace"},
      {steps_with(copies_spec(""), "[[steps]]\ncopy", "[[steps]]\nafter = [\"k\"]\ncopy"),
       "8:10: step 'copy' is after 'k', which runs later; expected an earlier step, or both with "
       "the same counter of 'repeat'"},
      {steps_with(copies_spec(""), ", args = [\"x\", \"y\"] }", " }"),
       "'x' is pinned memory, and the reference has no 'args'"},
  };
  for (const auto& [text, line] : cases) {
    const std::string said = steps_refusal(text);
    EXPECT_NE(said.find(line), std::string::npos) << said << "\n" << line;
  }
}

/// One stream copies chunks in, another works on them. `keys` are those of the kernel's step.
std::string chunks_spec(const std::string& keys = "stream = 1\nafter = [\"in\"]\n",
                        const std::string& counter = "chunk") {
  const std::string repeat = "repeat = { count = \"n / CHUNK\", counter = \"" + counter + "\" }\n";
  return "[kernel]\nsource = \"k.cu\"\n[problem]\nn = 1000\n[params]\nCHUNK = [250, 500]\n"
         "[[steps]]\nname = \"in\"\n" +
         repeat +
         "copy = { from = \"x\", to = \"device_x\", count = \"CHUNK\", from_offset = \"chunk * "
         "CHUNK\", "
         "to_offset = \"chunk * CHUNK\" }\n[[steps]]\nentry = \"k\"\ngrid = [\"chunk + 1\"]\nblock "
         "= [32]\n"
         "args = [{ name = \"device_x\", offset = \"chunk * CHUNK\" }, \"y\"]\n" +
         repeat + keys + R"toml([[args]]
name = "x"
type = "f32"
count = "n"
memory = "pinned"
[[args]]
name = "device_x"
type = "f32"
count = "n"
direction = "workspace"
[[args]]
name = "y"
type = "f32"
count = 1
direction = "out"
[check]
reference = { entry = "r", grid = [1], block = [32], args = ["x", "y"] }
rtol = 1e-6
)toml";
}

class RepeatedSteps : public StepsSpec {
 protected:
  [[nodiscard]] std::vector<StepPlan> chunks(const std::string& text, std::int64_t chunk) const {
    const KernelSpec repeated = spec_of(text);
    const Config config = {{"CHUNK", chunk}};
    return plan_steps(repeated, {problem, config, device});
  }
};

TEST_F(RepeatedSteps, RunTogetherForEachValueOfTheirCounter) {
  const std::vector<StepPlan> steps = chunks(chunks_spec(), 250);
  ASSERT_EQ(steps.size(), 8U);
  for (std::size_t i = 0; i < 8; i += 2) {
    const auto chunk = static_cast<std::int64_t>(i / 2);
    EXPECT_EQ(std::get<BufferCopy>(steps[i].action).from.offset, 250 * chunk);
    const auto& launch = std::get<KernelLaunch>(steps[i + 1].action);
    EXPECT_EQ(launch.arguments[0].offset, 250 * chunk);
    EXPECT_EQ(launch.launch.grid[0], chunk + 1);
    EXPECT_EQ(steps[i].stream, 0);
    EXPECT_EQ(steps[i + 1].stream, 1);
    EXPECT_EQ(steps[i + 1].after, std::vector<std::size_t>{i});  // the copy of the same chunk
  }
}

TEST_F(RepeatedSteps, MayWaitForWhatTheRepeatBeforeDid) {
  const std::string text =
      steps_with(chunks_spec(), "name = \"in\"\n", "name = \"in\"\nafter = [\"k\"]\n");
  const std::vector<StepPlan> steps = chunks(text, 500);
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_TRUE(steps[0].after.empty());
  EXPECT_EQ(steps[2].after, std::vector<std::size_t>{1});
}

TEST_F(RepeatedSteps, MayTakeTurnsOnStreams) {
  const std::string text = chunks_spec("stream = \"1 + chunk % (500 / CHUNK)\"\n");
  const std::vector<StepPlan> two = chunks(text, 250);
  ASSERT_EQ(two.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(two[i].stream, i % 2 == 0 ? 0 : 1 + static_cast<int>(i / 2 % 2));
  }
  const std::vector<StepPlan> one = chunks(text, 500);
  ASSERT_EQ(one.size(), 4U);
  EXPECT_EQ(one[3].stream, 1);
}

TEST_F(RepeatedSteps, AStreamThatDoesNotExistExcludesAConfiguration) {
  const Config config = {{"CHUNK", 250}};
  const KernelSpec by_param = spec_of(chunks_spec("stream = \"CHUNK / 20\"\n"));
  EXPECT_EQ(find_violation(by_param, {problem, {{"CHUNK", 500}}, device}),
            "launch: '(CHUNK / 20) < 16'");
  EXPECT_FALSE(find_violation(by_param, {problem, config, device}));
  const KernelSpec by_counter = spec_of(chunks_spec("stream = \"chunk * 6\"\n"));
  try {
    (void)plan_steps(by_counter, {problem, config, device});
    FAIL();
  } catch (const CaseError& error) {
    EXPECT_EQ(error.reason(), "stream of step 'k': 'chunk * 6' is 18; expected 15 at most");
    EXPECT_EQ(error.keys(), (std::vector<std::string>{"steps", "k", "stream"}));
  }
}

TEST_F(RepeatedSteps, WithoutACounterRepeatByThemselves) {
  const std::string text = steps_with(good_steps, "entry = \"add<BLOCK>\"\n",
                                      "entry = \"add<BLOCK>\"\nrepeat = \"SPLIT + 1\"\n");
  const KernelSpec repeated = spec_of(steps_spec(text));
  const Config config = {{"BLOCK", 32}, {"SPLIT", 1}};
  EXPECT_EQ(plan_steps(repeated, {problem, config, device}).size(), 3U);
  EXPECT_EQ(entries_for(repeated, repeated.steps, {problem, config, device}).size(), 2U);
  EXPECT_EQ(only_launch(repeated.steps), nullptr);
}

TEST_F(RepeatedSteps, ARangeBeyondItsBufferInOneRepeatIsSaid) {
  const std::string text =
      steps_with(chunks_spec(), "from_offset = \"chunk * CHUNK\"", "from_offset = \"chunk * 300\"");
  const std::string line = [&] {
    try {
      (void)chunks(text, 250);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  }();
  EXPECT_NE(line.find("part of 'x' in step 'in'"), std::string::npos) << line;
  EXPECT_NE(line.find("250 elements from 900 on, but the buffer has 1000"), std::string::npos);
}

TEST_F(RepeatedSteps, AreNotEndless) {
  const std::string text =
      steps_with(good_steps, "entry = \"add<BLOCK>\"\n", "entry = \"add<BLOCK>\"\nrepeat = 4097\n");
  const KernelSpec repeated = spec_of(steps_spec(text));
  const Config config = {{"BLOCK", 32}, {"SPLIT", 1}};
  EXPECT_THROW((void)plan_steps(repeated, {problem, config, device}), UserError);
}

TEST_F(RepeatedSteps, SayWhatIsWrongAndWhere) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {chunks_spec("stream = 2\n"),
       "step 'k' is on stream 2, and stream 1 has no work; expected the streams 0, 1, 2 and so on"},
      {chunks_spec("stream = 16\n"), "'stream' of step 'k' is 16; expected 0 to 15"},
      {chunks_spec("stream = \"chonk\"\n"), "'stream' of step 'k': unknown name 'chonk'"},
      {steps_with(chunks_spec(),
                  "name = \"in\"\nrepeat = { count = \"n / CHUNK\", counter = "
                  "\"chunk\" }",
                  "name = \"in\"\nstream = \"chunk\""),
       "names the counter 'chunk' in 'chunk'; expected it only in grids, offsets, counts and "
       "streams of steps"},
      {chunks_spec("after = [\"inn\"]\n"),
       "step 'k' is after 'inn', which is not another timed step; did you mean 'in'?"},
      {chunks_spec("after = [\"k\"]\n"), "step 'k' is after 'k', which is not another timed step"},
      {chunks_spec("", "n"), "9:43: counter 'n' has the name of something else of this spec"},
      {chunks_spec("", "CHUNK"), "counter 'CHUNK' has the name of something else of this spec"},
      {chunks_spec("when = \"chunk > 1\"\n"),
       "step 'k' names the counter 'chunk' in 'chunk > 1'; expected it only in grids, offsets"},
      {steps_with(chunks_spec(), "block = [32]", "block = [\"chunk + 1\"]"),
       "step 'k' names the counter 'chunk' in 'chunk + 1'"},
      {chunks_spec("setup = true\n"), "step 'k' is a setup and has 'repeat'; expected none"},
      {steps_with(chunks_spec(), "{ count = \"n / CHUNK\"", "{ count = \"4\""),
       "'repeat' of step 'k' has another count than the steps before it with the counter 'chunk'"},
      {steps_with(chunks_spec(), "rtol = 1e-6", "rtol = \"chunk\""), "unknown name 'chunk'"},
      {steps_with(
           chunks_spec(), "[[args]]\nname = \"x\"",
           "[[steps]]\nentry = \"z\"\ngrid = [1]\nblock = [1]\nargs = []\n[[steps]]\nentry = "
           "\"w\"\ngrid = [1]\nblock = [1]\nargs = []\nrepeat = { count = 2, counter = "
           "\"chunk\" }\n[[args]]\nname = \"x\""),
       "counter 'chunk' is that of earlier steps with others between"},
  };
  for (const auto& [text, line] : cases) {
    const std::string said = steps_refusal(text);
    EXPECT_NE(said.find(line), std::string::npos) << said << "\n" << line;
  }
}

}  // namespace
}  // namespace gtune
