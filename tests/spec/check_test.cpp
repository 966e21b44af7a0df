#include <gtest/gtest.h>

#include "model/error.hpp"
#include "spec/device_table.hpp"
#include "spec/evaluate.hpp"
#include "spec/spec_file.hpp"

namespace gtune {
namespace {

std::string checked_spec(const std::string& check) {
  return R"toml([kernel]
source = "k.cu"
entry = "k<BLOCK>"
[problem]
n = 1000
ld = { default = "n" }
[params]
BLOCK = [32, 64]
UNROLL = [1, 2]
[constraints]
few = "BLOCK * UNROLL <= n"
[launch]
grid = ["ceil_div(n, BLOCK)"]
block = ["BLOCK"]
[[args]]
name = "y"
type = "f32"
count = "ld"
direction = "out"
[[args]]
name = "found"
type = "i32"
count = 1
direction = "inout"
[[baselines]]
name = "naive"
entry = "naive"
grid = ["n"]
block = [1]
)toml" + check;
}

std::string check_error(const std::string& check) {
  try {
    (void)spec_of(checked_spec(check));
  } catch (const UserError& error) {
    const std::string line = error.what();
    return line.substr(line.find("k.toml:") + 7);
  }
  return "no error";
}

TEST(CheckSpec, AReferenceMayBeTheKernelInOneConfiguration) {
  const KernelSpec spec = spec_of(
      checked_spec("[check]\nrtol = 0\nreference = { params = { BLOCK = 64, UNROLL = 1 } }"));
  const DeviceFacts& device = typical_device("sm_90");
  const Problem problem = {{"n", 1000}, {"ld", 1000}};
  const Config config = reference_config(spec, {{"BLOCK", 32}, {"UNROLL", 2}});
  EXPECT_EQ(config.text(), "BLOCK=64,UNROLL=1");
  EXPECT_EQ(only_launch(spec.check.reference->steps)->entry, "k<BLOCK>");
  EXPECT_EQ(only_launch(plan_reference_steps(spec, {problem, config, device}))->block[0], 64);
  EXPECT_FALSE(find_reference_violation(spec, {problem, config, device}));
  const Problem small = {{"n", 63}, {"ld", 63}};
  EXPECT_EQ(find_reference_violation(spec, {small, config, device}), "few: 'BLOCK * UNROLL <= n'");
}

TEST(CheckSpec, AReferenceMayBeABaseline) {
  const KernelSpec spec =
      spec_of(checked_spec("[check]\nrtol = 0\nreference = { baseline = \"naive\" }"));
  EXPECT_EQ(only_launch(spec.check.reference->steps)->entry, "naive");
  EXPECT_EQ(spec.check.reference->args.size(), 2U);
  const Problem one = {{"n", 1}, {"ld", 1}};
  EXPECT_FALSE(find_reference_violation(spec, {one, {}, typical_device("sm_90")}));
}

TEST(CheckSpec, AReferenceMayBeAFunctionOnTheHost) {
  const KernelSpec spec = spec_of(
      checked_spec("[check]\nrtol = 0\nreference = { host = \"k.cu\", entry = \"right<float>\" }"));
  ASSERT_TRUE(spec.check.reference);
  EXPECT_EQ(spec.check.reference->host_entry, "right<float>");
  EXPECT_EQ(spec.check.reference->args.size(), 2U);
  EXPECT_NE(check_error("[check]\nrtol = 0\nreference = { host = \"none.cpp\", entry = \"r\" }")
                .find("there is no source 'none.cpp'; expected it in "),
            std::string::npos);
  EXPECT_NE(
      check_error("[check]\nrtol = 0\nreference = { host = \"k.cu\", entry = \"r\", grid = [1] }")
          .find("unknown key 'grid' in 'reference' with 'host'; expected one of host, entry, "
                "args"),
      std::string::npos);
}

TEST(CheckSpec, WithoutAReferenceNoToleranceIsNeeded) {
  const KernelSpec spec = spec_of(checked_spec("[check]\nreference = \"none\""));
  EXPECT_FALSE(spec.check.reference);
  EXPECT_EQ(spec.sources().size(), 1U);
}

TEST(CheckSpec, EachOutputMayHaveItsOwnCheck) {
  const KernelSpec spec = spec_of(checked_spec(R"([check]
reference = { baseline = "naive" }
rtol = 1e-6
[check.outputs.y]
rtol = "1e-4 * n"
may_differ = 0.25
count = "n"
where = "i % ld < n"
)"));
  const auto checks = plan_output_checks(spec, {{"n", 100}, {"ld", 128}}, typical_device("sm_90"));
  ASSERT_EQ(checks.size(), 2U);
  EXPECT_EQ(checks[0].name, "y");
  EXPECT_DOUBLE_EQ(checks[0].rtol, 1e-2);
  EXPECT_EQ(checks[0].may_differ, 0.25);
  EXPECT_EQ(checks[0].count, 100);
  EXPECT_FALSE(checks[0].where.empty());
  EXPECT_EQ(checks[1].rtol, 1e-6);
  EXPECT_EQ(checks[1].count, 1);
  EXPECT_TRUE(checks[1].where.empty());
  EXPECT_THROW((void)plan_output_checks(spec, {{"n", 100}, {"ld", 99}}, typical_device("sm_90")),
               UserError);
}

TEST(CheckSpec, OfAnOutputSizedByParametersAPartIsCompared) {
  std::string text = checked_spec(
      "[check]\nreference = { baseline = \"naive\" }\nrtol = 0\n[check.outputs.y]\ncount = \"n\"");
  const std::string size = "count = \"ld\"";
  text.replace(text.find(size), size.size(), "count = \"round_up(n, BLOCK)\"");
  const KernelSpec spec = spec_of(text);
  const DeviceFacts& device = typical_device("sm_90");
  const Problem problem = {{"n", 100}, {"ld", 100}};
  EXPECT_EQ(plan_output_checks(spec, problem, device)[0].count, 100);
  const Config config = {{"BLOCK", 64}, {"UNROLL", 1}};
  EXPECT_EQ(std::get<BufferPlan>(plan_arguments(spec, {problem, config, device})[0]).count, 128);
}

TEST(CheckSpec, AnEntryMayJudgeAnOutput) {
  const KernelSpec spec = spec_of(checked_spec(R"toml([check]
reference = { baseline = "naive" }
rtol = 0
[check.outputs.y.compare]
entry = "same_set"
grid = ["ceil_div(n, 256)"]
block = [256]
args = ["y", "y.reference", { name = "count", type = "i64", value = "2 * n" }, "y.mismatches"]
)toml"));
  EXPECT_TRUE(spec.check.has_results());
  const Case of = {{{"n", 1000}, {"ld", 1000}}, {}, typical_device("sm_90")};
  const ComparePlan plan = plan_compare(spec, spec.check.outputs[0], of);
  EXPECT_EQ(plan.output, "y");
  const auto& launch = std::get<KernelLaunch>(plan.step.action);
  EXPECT_EQ(launch.kernel, "same_set");
  EXPECT_EQ(launch.launch.grid[0], 4);
  ASSERT_EQ(plan.arguments.size(), 4U);
  EXPECT_EQ(std::get<BufferPlan>(plan.arguments[1]).name, "y.reference");
  EXPECT_EQ(std::get<ScalarPlan>(plan.arguments[2]).integer, 2000);
  EXPECT_EQ(std::get<BufferPlan>(plan.arguments[3]).type, ElementType::u64);
  const auto checks = plan_output_checks(spec, of.problem, of.device);
  EXPECT_TRUE(checks[0].by_entry);
  EXPECT_FALSE(checks[1].by_entry);
}

TEST(CheckSpec, AnEntryMayJudgeWithoutAReference) {
  const std::string judged =
      "[check]\nreference = \"none\"\n[check.outputs.y.compare]\nentry = \"is_sorted\"\n"
      "grid = [1]\nblock = [32]\nargs = [\"y\", ";
  EXPECT_TRUE(spec_of(checked_spec(judged + "\"y.mismatches\"]")).check.has_results());
  EXPECT_EQ(check_error(judged + "\"y.reference\", \"y.mismatches\"]"),
            "36:14: 'y.reference' in 'args' of 'compare' is not known; expected an argument of the "
            "kernel or 'y.mismatches' (reference = \"none\" has no results)");
}

TEST(CheckSpec, SaysWhatIsWrong) {
  const std::string right = "[check]\nreference = { baseline = \"naive\" }\n";
  const std::string judge = "{ entry = \"same\", grid = [1], block = [32], ";
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"[check]\nreference = \"nothing\"",
       "31:13: 'reference' of [check] is 'nothing'; expected a table, or \"none\" for results that "
       "nothing is compared with"},
      {"[check]\nrtol = 0\nreference = { params = { BLOCK = 32 } }",
       "32:24: 'params' of 'reference' has no value for 'UNROLL'; expected one for every "
       "parameter"},
      {"[check]\nrtol = 0\nreference = { params = { BLOC = 32 } }",
       "32:26: 'BLOC' is not a parameter; did you mean 'BLOCK'?"},
      {"[check]\nrtol = 0\nreference = { baseline = \"naiv\" }",
       "32:26: 'naiv' is not a baseline of this spec; did you mean 'naive'?"},
      {"[check]\nrtol = 0\nreference = { baseline = \"naive\", grid = [1] }",
       "32:35: unknown key 'grid' in 'reference' with 'baseline'; expected one of baseline"},
      {right, "30:1: [check] has no 'rtol'"},
      {right + "rtol = 0\n[check.outputs.x]\nrtol = 0",
       "33:16: 'x' is not an output of the kernel"},
      {right + "rtol = 0\n[check.outputs.y]\nmay_differ = 1.5",
       "34:14: 'may_differ' of [check.outputs.y] is not a share; expected 0 or more and less than "
       "1"},
      {right + "rtol = 0\n[check.outputs.y]\nwhere = \"i < BLOCK\"",
       "34:9: 'where' of [check.outputs.y] depends on parameter 'BLOCK'; expected only 'i', "
       "problem sizes and device facts"},
      {right + "rtol = 0\n[check.outputs.y]\nrtol = 1\ncompare = " + judge + "args = [] }",
       "34:1: 'rtol' of [check.outputs.y] beside 'compare'; expected one of them: the entry alone "
       "judges this output"},
      {right + "rtol = 0\n[check.outputs.y]\ncompare = " + judge + "args = [\"y\"] }",
       "34:62: 'args' of 'compare' has no 'y.mismatches', which receives the number of errors"},
      {right + "rtol = 0\n[check.outputs.y]\ncompare = " + judge + "args = [\"y.mismatches\"] }",
       "34:62: 'args' of 'compare' has no 'y', which it checks"},
      {right + "rtol = 0\n[check.outputs.y]\ncompare = " + judge + "args = [\"y.reference_\"] }",
       "34:63: 'y.reference_' in 'args' of 'compare' is not known; did you mean 'y.reference'?"},
      {right + "rtol = 0\n[check.outputs.y]\ncompare = " + judge +
           "args = [{ name = \"b\", type = \"i32\", value = \"BLOCK\" }] }",
       "34:63: 'b' in 'args' of 'compare' depends on parameter 'BLOCK'; expected only problem "
       "sizes "
       "and device facts"},
  };
  for (const auto& [check, error] : mistakes) EXPECT_EQ(check_error(check), error);
}

TEST(CheckSpec, RefusesAKernelWithoutAnOutput) {
  std::string text = spec_text("BLOCK = [32]");
  text.replace(text.find("\"out\""), 5, "\"in\"");
  try {
    (void)spec_of(text);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("no argument is an output; expected one with "
                        "direction = \"out\" or \"inout\""),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace gtune
