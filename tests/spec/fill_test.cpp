#include <gtest/gtest.h>

#include <cmath>

#include "model/error.hpp"
#include "spec/device_table.hpp"
#include "spec/evaluate.hpp"
#include "spec/spec_file.hpp"

namespace gtune {
namespace {

/// A spec whose buffer x of type `type` has this fill.
std::string filled_spec(const std::string& fill, const std::string& type = "f32") {
  std::string text = spec_text("BLOCK = [32]");
  return text.insert(
      text.find("[[args]]"),
      "[[args]]\nname = \"w\"\ntype = \"f32\"\ncount = \"N\"\n[[args]]\nname = \"x\"\n"
      "type = \"" +
          type + "\"\ncount = \"M\"\nfill = " + fill + "\n");
}

Fill fill_of(const std::string& fill, const std::string& type = "f32",
             const Problem& problem = {{"M", 100}, {"N", 200}}) {
  const KernelSpec spec = spec_of(filled_spec(fill, type));
  const Config config = {{"BLOCK", 32}};
  const auto plans = plan_arguments(spec, {problem, config, typical_device("sm_90")});
  return std::get<BufferPlan>(plans.at(1)).fill;
}

std::string fill_error(const std::string& fill, const std::string& type = "f32") {
  try {
    (void)fill_of(fill, type);
  } catch (const UserError& error) {
    const std::string line = error.what();
    return line.substr(line.find("k.toml") + 6);
  }
  return "no error";
}

TEST(FillSpec, RangesMayFollowTheSizes) {
  const Fill fill = fill_of("{ uniform = [0, \"N - 1\"] }", "i32");
  EXPECT_EQ(fill.kind, FillKind::uniform);
  EXPECT_EQ(fill.low, 0);
  EXPECT_EQ(fill.high, 199);
  EXPECT_EQ(fill_of("{ normal = [1.5, 0.25] }").high, 0.25);
  EXPECT_EQ(fill_of("{ offsets = \"7 * N\" }", "i64").high, 1400);
  EXPECT_EQ(fill_of("\"permutation\"", "u32").kind, FillKind::permutation);
  EXPECT_EQ(fill_of("{ copy = \"w\" }").of, "w");
}

TEST(FillSpec, AConstantMayBeInfinite) {
  EXPECT_EQ(fill_of("{ constant = -inf }").low, -INFINITY);
  EXPECT_EQ(fill_of("{ constant = \"-inf\" }").low, -INFINITY);
  EXPECT_EQ(fill_of("{ constant = \"inf\" }").low, INFINITY);
  EXPECT_EQ(fill_error("{ constant = \"inf\" }", "i32"),
            ":25:21: 'constant' of 'fill' of argument 'x' is not finite; expected a number");
  EXPECT_EQ(fill_error("{ constant = -inf }", "i32"),
            ":25:21: 'constant' of 'fill' of argument 'x' is not finite; expected a number");
}

TEST(FillSpec, AnExpressionOfTheIndexIsTypedAsInC) {
  const Fill whole = fill_of("{ each = \"i % 7 + N\" }");
  ASSERT_FALSE(whole.each.empty());
  EXPECT_FALSE(whole.each.steps.back().real);
  int slots = 0;
  for (const Node& node : whole.each.steps) slots += node.operation == Operation::slot ? 1 : 0;
  EXPECT_EQ(slots, 1);  // N has become a number; the index remains
  const Fill real = fill_of("{ each = \"(i / 2) * 0.5 - random(i % M)\" }");
  EXPECT_TRUE(real.each.steps.back().real);
  int integer_divisions = 0;
  for (const Node& node : real.each.steps) {
    integer_divisions += node.operation == Operation::divide && !node.real ? 1 : 0;
  }
  EXPECT_EQ(integer_divisions, 1);
}

TEST(FillSpec, SaysWhatIsWrong) {
  EXPECT_EQ(
      fill_error("{ uniform = [1, 0] }"),
      ":25:20: 'uniform' of 'fill' of argument 'x' is empty; expected the lower number first");
  EXPECT_EQ(fill_error("{ uniform = [0, \"M - N\"] }"),
            ": fill of 'x' for M=100,N=200 with BLOCK=32: its range is empty; expected the lower "
            "number first");
  EXPECT_EQ(fill_error("\"permutation\""),
            ":25:8: 'fill' of argument 'x' with \"permutation\" is for integers, not for f32; "
            "expected another type or fill");
  EXPECT_EQ(fill_error("{ copy = \"w\" }", "f64"),
            ":25:8: 'w' cannot be copied into 'x'; expected an in or inout buffer of the same type "
            "before it");
  EXPECT_EQ(fill_error("{ each = \"(0.5 * i) % 2\" }"),
            ":25:28: in 'each' of 'fill' of argument 'x': '%' is for integers only");
  EXPECT_EQ(fill_error("{ each = \"random(0.5)\" }"),
            ":25:18: in 'each' of 'fill' of argument 'x': 'random' is for integers only");
  EXPECT_EQ(fill_error("{ each = \"BLOCK + i\" }"),
            ":25:17: 'each' of 'fill' of argument 'x' depends on parameter 'BLOCK'; expected only "
            "'i', problem sizes and device facts");
  EXPECT_EQ(fill_error("{ constant = \"random(3)\" }"),
            ":25:22: in 'constant' of 'fill' of argument 'x': 'random' is for the elements of a "
            "buffer only");
}

TEST(FillSpec, ValuesFitTheirType) {
  const auto why = [](const std::string& fill, const std::string& type) {
    const std::string line = fill_error(fill, type);
    const std::string begin = ": fill of 'x' for M=100,N=200 with BLOCK=32: ";
    return line.starts_with(begin) ? line.substr(begin.size()) : line;
  };
  EXPECT_EQ(why("{ constant = 127.5 }", "i8"), "no error");  // rounded down
  EXPECT_EQ(why("{ constant = 300 }", "i8"), "300 does not fit into i8");
  EXPECT_EQ(why("{ constant = -1 }", "u64"), "-1 does not fit into u64");
  EXPECT_EQ(why("{ constant = 1e300 }", "f32"), "1e+300 does not fit into f32");
  EXPECT_EQ(why("{ constant = 65504 }", "f16"), "no error");
  EXPECT_EQ(why("{ constant = 1e5 }", "f16"), "1e+05 does not fit into f16");
  EXPECT_EQ(why("{ constant = 1e5 }", "bf16"), "no error");
  EXPECT_EQ(why("{ uniform = [0, 256] }", "u8"), "no error");
  EXPECT_EQ(why("{ uniform = [0, 257] }", "u8"), "its range [0, 257) does not fit into u8");
  EXPECT_EQ(why("{ uniform = [-4, 4] }", "u8"), "its range [-4, 4) does not fit into u8");
  EXPECT_EQ(why("{ normal = [0, -1] }", "f32"), "its deviation is -1; expected 0 or more");
  EXPECT_EQ(why("{ normal = [-1, 1] }", "u8"), "its mean -1 does not fit into u8");
  EXPECT_EQ(why("{ offsets = -1 }", "i32"),
            "its total -1 does not fit into i32, whose offsets begin at 0");
  EXPECT_EQ(why("{ offsets = 3000000000 }", "u32"), "no error");
  EXPECT_EQ(why("{ offsets = 3000000000 }", "i32"), "its total 3e+09 does not fit into i32");
  EXPECT_EQ(why("\"permutation\"", "i8"), "no error");
}

TEST(FillSpec, AnExpressionHasAFirstAndALastElement) {
  const auto why = [](const std::string& each, const std::string& type) {
    const std::string line = fill_error("{ each = \"" + each + "\" }", type);
    return line.substr(line.find("BLOCK=32: ") == line.npos ? 0 : line.find("BLOCK=32: ") + 10);
  };
  EXPECT_EQ(why("i / 0", "i32"), "element 0: 'i / 0': division by zero");
  EXPECT_EQ(why("1 / (99 - i)", "i32"), "element 99: '1 / (99 - i)': division by zero");
  EXPECT_EQ(why("2 * i", "i8"), "element 99 is 198, which does not fit into i8");
  EXPECT_EQ(why("2 * i", "u8"), "no error");
  EXPECT_EQ(why("random(i) / 0", "i32"), "no error");  // only the device knows the seed
}

}  // namespace
}  // namespace gtune
