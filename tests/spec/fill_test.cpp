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

}  // namespace
}  // namespace gtune
