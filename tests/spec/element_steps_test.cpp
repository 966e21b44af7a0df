// Compares the device's evaluation of an expression over an element's index, compiled for the host,
// with the host's own.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "spec/expression.hpp"
#include "spec/scope.hpp"

namespace gtune {
namespace {

namespace on_device {
#define GTUNE_DEVICE
#include "gpu/element_steps.inc"
}  // namespace on_device

on_device::Value device_value(const Expression& expression, std::uint64_t index) {
  std::vector<on_device::Step> steps;
  for (const Node& node : expression.nodes()) {
    steps.push_back({static_cast<int>(node.operation),
                     node.real ? 1 : 0,
                     {node.operands[0], node.operands[1], node.operands[2]},
                     0,
                     node.value,
                     node.real_value});
  }
  return on_device::value_at(steps.data(), static_cast<int>(steps.size()), index, 1);
}

Expression parse(const std::string& text) {
  Scope scope;
  scope.add_slot("i");
  return Expression::parse(text, scope, ExpressionKind::element);
}

/// Random expressions over i, with every operator and function except random(), which the host
/// lacks.
class Texts {
 public:
  explicit Texts(unsigned seed) : m_random(seed) {}

  std::string make(int depth) {
    if (depth == 0) return leaf();
    const std::string a = make(depth - 1);
    const std::string b = make(depth - 1);
    switch (below(6)) {
      case 0:
        return "(" + a + " ? " + b + " : " + make(depth - 1) + ")";
      case 1:
        return pick({"-", "!", "abs", "sqrt", "log2", "pow2", "is_pow2", "~"}) + "(" + a + ")";
      case 2:
        return pick({"min", "max", "ceil_div", "round_up", "gcd", "pow"}) + "(" + a + ", " + b +
               ")";
      default:
        return "(" + a +
               pick({" + ", " - ", " * ", " / ", " % ", " < ", " <= ", " == ", " != ", " & ", " | ",
                     " ^ ", " << ", " >> ", " && ", " || "}) +
               b + ")";
    }
  }

 private:
  unsigned below(unsigned count) { return static_cast<unsigned>(m_random() % count); }
  std::string pick(const std::vector<std::string>& words) {
    return words[below(static_cast<unsigned>(words.size()))];
  }
  std::string leaf() {
    return pick({"i", "0", "1", "2", "7", "63", "1000003", "4611686018427387904", "0.5", "3.25"});
  }

  std::mt19937 m_random;
};

TEST(ElementSteps, TheDeviceAndTheHostAgree) {
  int compared = 0;
  int without_value = 0;
  Texts texts(7);
  for (int n = 0; n < 40000; ++n) {
    const std::string text = texts.make(1 + n % 3);
    std::optional<Expression> expression;
    try {
      expression = parse(text);
    } catch (const ExpressionError&) {
      continue;  // an integer operator on a double
    }
    const std::int64_t index = n % 3 == 0 ? n : n * 104729LL;
    const on_device::Value got = device_value(*expression, static_cast<std::uint64_t>(index));
    ++compared;
    try {
      const double right = expression->evaluate_real(std::vector{index});
      ASSERT_FALSE(got.failed) << text << " at " << index;
      ASSERT_EQ(got.real, right) << text << " at " << index;
    } catch (const EvaluationError&) {
      ++without_value;
      ASSERT_TRUE(got.failed || !std::isfinite(got.real)) << text << " at " << index;
    }
  }
  EXPECT_GT(compared, 10000);
  EXPECT_GT(without_value, 1000);
}

TEST(ElementSteps, RandomNumbersFollowTheKeyAlone) {
  const Expression of_pairs = parse("random(i / 2)");
  EXPECT_EQ(device_value(of_pairs, 6).real, device_value(of_pairs, 7).real);
  EXPECT_NE(device_value(of_pairs, 7).real, device_value(of_pairs, 8).real);
  double sum = 0;
  for (std::uint64_t i = 0; i < 10000; ++i) sum += device_value(parse("random(i)"), i).real;
  EXPECT_NEAR(sum / 10000, 0.5, 0.01);
}

}  // namespace
}  // namespace gtune
