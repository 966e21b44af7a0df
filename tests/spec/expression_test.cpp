#include "spec/expression.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "model/value_word.hpp"
#include "spec/scope.hpp"

namespace gtune {
namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

/// Slots a = 7, b = -3, c = 0, BM = 128; let twice = 2*a.
class Expressions : public testing::Test {
 protected:
  Expressions() {
    for (const char* name : {"a", "b", "c", "BM"}) scope.add_slot(name);
    scope.add_expression("twice", Expression::parse("2*a", scope));
    scope.add_expression("broken", Expression::parse("a/c", scope));
    scope.add_expression("half", Expression::parse("a/2", scope));
  }

  std::int64_t value(const std::string& text) {
    return Expression::parse(text, scope).evaluate(slots);
  }
  double real(const std::string& text) {
    return Expression::parse(text, scope, ExpressionKind::real).evaluate_real(slots);
  }
  Failure failure(const std::string& text) {
    return Expression::parse(text, scope).try_evaluate(slots).failure;
  }
  /// "OFFSET: message" for a text that does not parse.
  std::string error(const std::string& text, ExpressionKind kind = ExpressionKind::integer) {
    try {
      [[maybe_unused]] const auto parsed = Expression::parse(text, scope, kind);
    } catch (const ExpressionError& caught) {
      return std::to_string(caught.offset()) + ": " + caught.what();
    }
    return "no error";
  }

  Scope scope;
  std::array<std::int64_t, 4> slots = {7, -3, 0, 128};
};

TEST_F(Expressions, DependOnSlotsThatAnEvaluationComesTo) {
  using Slots = std::vector<std::size_t>;
  const auto given = [&](const char* text, std::vector<std::optional<std::int64_t>> known) {
    return Expression::parse(text, scope).slots_given(known);
  };
  EXPECT_EQ(given("a == 1 ? b : c", {1}), (Slots{0, 1}));
  EXPECT_EQ(given("a == 1 ? b : c", {2}), (Slots{0, 2}));
  EXPECT_EQ(given("a == 1 ? b : c", {}), (Slots{0, 1, 2}));
  EXPECT_EQ(given("b + 1 > 0 ? c : BM", {{}, 0}), (Slots{1, 2}));  // a is unknown, b is not
  EXPECT_EQ(given("a > 1 && b > 0 && BM % c == 0", {1}), Slots{0});
  EXPECT_EQ(given("a > 1 && b > 0 && BM % c == 0", {2}), (Slots{0, 1, 2, 3}));
  EXPECT_EQ(given("a > 1 || b > 0", {2}), Slots{0});
  EXPECT_EQ(given("b > 0 && a > 1", {1}), (Slots{0, 1}));               // b is evaluated first
  EXPECT_EQ(given("a / b > 0 ? c : BM", {1, 0}), (Slots{0, 1, 2, 3}));  // has no value
  EXPECT_EQ(given("half > 0 ? b : c", {1}), (Slots{0, 2}));
  EXPECT_EQ(given("min(a, b)", {1, 2, 3, 4}), (Slots{0, 1}));
}

TEST_F(Expressions, AreShorterWhereSlotsAreKnown) {
  using Known = std::vector<std::optional<std::int64_t>>;
  for (const char* text :
       {"a == 7 ? b * a : c", "a == 1 ? b : BM + a", "a > 1 && b > 0", "b > 0 || BM / a > 2",
        "min(a, b) + BM * (a - 7)", "BM / c", "a > 1 || BM / c > 0", "half * 2 - BM"}) {
    const Expression whole = Expression::parse(text, scope);
    for (const Known& known : {Known{7}, Known{std::nullopt, -3}, Known{7, -3, 0, 128}}) {
      const Expression given = whole.given(known);
      EXPECT_LE(given.nodes().size(), whole.nodes().size()) << text;
      EXPECT_EQ(given.try_evaluate(slots).failure, whole.try_evaluate(slots).failure) << text;
      if (whole.try_evaluate(slots).failure == Failure::none) {
        EXPECT_EQ(given.evaluate(slots), whole.evaluate(slots)) << text;
      }
    }
  }
  const Expression all = Expression::parse("a == 7 ? b * a : c", scope).given(Known{7, -3});
  EXPECT_EQ(all.nodes().size(), 1U);
  EXPECT_TRUE(all.slots().empty());
}

TEST_F(Expressions, CompareWords) {
  scope.add_slot("T");
  scope.set_words("T", {"float", "half"});
  const std::array<std::int64_t, 5> with_half = {7, -3, 0, 128, value_of_word("half")};
  const auto holds = [&](const char* text) {
    return Expression::parse(text, scope).evaluate(with_half) != 0;
  };
  EXPECT_TRUE(holds("T == 'half'"));
  EXPECT_TRUE(holds("'half' == T && BM > 64"));
  EXPECT_FALSE(holds("T == \"float\""));
  EXPECT_TRUE(holds("T != 'float' || a / c > 0"));
  EXPECT_EQ(error("T == 'hafl'"), "5: 'hafl' is not a value of 'T'; did you mean 'half'?");
  EXPECT_EQ(error("T == half"),
            "0: 'T' has words for values; expected a comparison with one, as in "
            "T == 'float'");
  EXPECT_EQ(error("2 * T"), error("T").replace(0, 1, "4"));
  EXPECT_EQ(error("a == 'half'"),
            "5: 'half' must be compared with a parameter whose values are words, as in "
            "T == 'half'");
  EXPECT_EQ(error("T == 'half"), "5: a quote that does not end");
}

TEST_F(Expressions, FollowCsPrecedence) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("10 - 4 - 3"), 3);
  EXPECT_EQ(value("100 / 5 / 2"), 10);
  EXPECT_EQ(value("1 << 2 + 1"), 8);
  EXPECT_EQ(value("6 & 3 == 3"), 0);  // 6 & (3 == 3)
  EXPECT_EQ(value("1 | 6 ^ 3 & 2"), 1 | (6 ^ (3 & 2)));
  EXPECT_EQ(value("0 || 1 && 0"), 0);
  EXPECT_EQ(value("1 ? 2 : 0 ? 3 : 4"), 2);
  EXPECT_EQ(value("0 ? 2 : 0 ? 3 : 4"), 4);
  EXPECT_EQ(value("-2 * -3"), 6);
  EXPECT_EQ(value("!0 + !5 + ~0"), 0);
  EXPECT_EQ(value("- - 4"), 4);
  EXPECT_EQ(value("2 < 3 == 1"), 1);
}

TEST_F(Expressions, DivideLikeC) {
  EXPECT_EQ(value("-7 / 2"), -3);
  EXPECT_EQ(value("-7 % 2"), -1);
  EXPECT_EQ(value("7 / -2"), -3);
  EXPECT_EQ(value("7 % b"), 1);
  EXPECT_EQ(value("ceil_div(7, 2)"), 4);
  EXPECT_EQ(value("ceil_div(-7, 2)"), -3);
  EXPECT_EQ(value("ceil_div(6, 2)"), 3);
  EXPECT_EQ(value("ceil_div(7, -2)"), -3);
  EXPECT_EQ(value("round_up(13, 8)"), 16);
  EXPECT_EQ(value("round_up(16, 8)"), 16);
}

TEST_F(Expressions, KnowFunctionsAndLiterals) {
  EXPECT_EQ(value("min(4, 2, 9) + max(1, a, 3)"), 9);
  EXPECT_EQ(value("abs(b) + log2(1023) + log2(1024)"), 22);
  EXPECT_EQ(value("is_pow2(64) + is_pow2(0) + is_pow2(-4) + is_pow2(3)"), 1);
  EXPECT_EQ(value("pow2(10) + gcd(12, 18) + gcd(0, 5)"), 1035);
  EXPECT_EQ(value("0xFf + 0x10"), 271);
  EXPECT_EQ(value("9223372036854775807"), highest);
  EXPECT_EQ(value("twice + BM"), 142);
  EXPECT_EQ(value("-9223372036854775807 - 1"), lowest);
}

TEST_F(Expressions, StopWhereTheFirstOperandDecides) {
  EXPECT_EQ(value("c != 0 && a / c > 1"), 0);
  EXPECT_EQ(value("c == 0 || a / c > 1"), 1);
  EXPECT_EQ(value("c == 0 ? 5 : a / c"), 5);
  EXPECT_EQ(failure("c == 0 && a / c > 1"), Failure::division_by_zero);
  EXPECT_EQ(failure("a / c > 1 && 0"), Failure::division_by_zero);
}

TEST_F(Expressions, FailInsteadOfOverflowing) {
  const std::string min = "(-9223372036854775807 - 1)";
  for (const std::string text :
       {"9223372036854775807 + 1", "-9223372036854775807 - 2", "9223372036854775807 * 2"}) {
    EXPECT_EQ(failure(text), Failure::overflow) << text;
  }
  const std::vector<std::string> overflows = {"-" + min,
                                              "abs" + min,
                                              min + " / -1",
                                              min + " % -1",
                                              min + " << 1",
                                              "gcd(" + min + ", 2)",
                                              std::string("3 << 62"),
                                              std::string("round_up(9223372036854775807, 8)"),
                                              "ceil_div(" + min + ", -1)"};
  for (const std::string& text : overflows) {
    EXPECT_EQ(failure(text), Failure::overflow) << text;
  }
  for (const std::string text : {"a / c", "a % c", "ceil_div(a, c)", "round_up(a, c)"}) {
    EXPECT_EQ(failure(text), Failure::division_by_zero) << text;
  }
  for (const std::string text :
       {"log2(0)", "log2(b)", "pow2(63)", "pow2(-1)", "1 << 63", "1 << b", "1 >> 64", "1 >> -1"}) {
    EXPECT_EQ(failure(text), Failure::domain) << text;
  }
  try {
    value("1 + a / c");
    FAIL();
  } catch (const EvaluationError& caught) {
    EXPECT_STREQ(caught.what(), "'1 + a / c': division by zero");
  }
}

TEST_F(Expressions, SayWhereTheyAreWrong) {
  EXPECT_EQ(error(""), "0: the expression is empty");
  EXPECT_EQ(error("a +"), "3: the expression ends here; expected a number, a name or '('");
  EXPECT_EQ(error("a b"), "2: 'b'; expected an operator or the end");
  EXPECT_EQ(error("(a"), "2: the expression ends here; expected ')' or an operator");
  EXPECT_EQ(error("a + bm * 2"), "4: unknown name 'bm'; did you mean 'BM'?");
  EXPECT_EQ(error("a + zzzzz"),
            "4: unknown name 'zzzzz'; expected one of BM, a, b, broken, c, half, twice");
  EXPECT_EQ(error("cel_div(a, 2)"), "0: unknown function 'cel_div'; did you mean 'ceil_div'?");
  EXPECT_EQ(
      error("product(a, 2)"),
      "0: unknown function 'product'; expected one of min, max, abs, ceil_div, round_up, log2, "
      "is_pow2, pow2, gcd, sqrt, pow, random");
  EXPECT_EQ(error("a + log2"), "4: 'log2' is a function; expected '(' after it");
  EXPECT_EQ(error("1 + min(3)"), "4: 'min' takes 2 or more arguments, not 1");
  EXPECT_EQ(error("log2(1, 2)"), "0: 'log2' takes 1 argument, not 2");
  EXPECT_EQ(error("1 + 2.5"), "4: '2.5' is not an integer");
  EXPECT_EQ(error("sqrt(a)"), "0: 'sqrt' is for [work] and [check] only");
  EXPECT_EQ(error("99999999999999999999"), "0: '99999999999999999999' does not fit into 64 bits");
  EXPECT_EQ(error("4u"), "0: '4u' is not a number");
  EXPECT_EQ(error("010"), "0: '010' is octal in C; write it without the leading 0");
  EXPECT_EQ(error("a = 3"), "2: '=' assigns in C; write '=='");
  EXPECT_EQ(error("1 < a < 3"), "6: comparisons do not chain; write 'a < b && b < c'");
  EXPECT_EQ(error("a ? 1"), "5: the expression ends here; expected ':' of the '?'");
  EXPECT_EQ(error("a $ 1"), "2: '$' has no meaning in an expression");
  EXPECT_EQ(error("a % 2", ExpressionKind::real), "2: '%' is for integers only");
  EXPECT_NE(error(std::string(5000, '(')).find("nested too deeply"), std::string::npos);
  EXPECT_NE(error(std::string(5000, '-')).find("nested too deeply"), std::string::npos);
  EXPECT_NE(error(std::string(20000, '1')).find("too long"), std::string::npos);
}

TEST_F(Expressions, RealOnesDivideAndFailLikeDoubles) {
  EXPECT_DOUBLE_EQ(real("a / 2"), 3.5);
  EXPECT_DOUBLE_EQ(real("1e-6 * sqrt(a) + .5"), 1e-6 * std::sqrt(7.0) + 0.5);
  EXPECT_DOUBLE_EQ(real("half * 2"), 6);  // a let keeps its integer division
  EXPECT_DOUBLE_EQ(real("log2(8) + pow(2, 0.5)"), 3 + std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(real("ceil_div(a, 2) + round_up(a, 4) + max(a, 2.5)"), 4 + 8 + 7);
  EXPECT_DOUBLE_EQ(real("c == 0 ? 1.5 : broken"), 1.5);
  EXPECT_DOUBLE_EQ(real("c != 0 && broken > 1"), 0);
  EXPECT_DOUBLE_EQ(real("2*9223372036854775807"), 2 * 9223372036854775807.0);
  EXPECT_THROW(real("a / c"), EvaluationError);
  EXPECT_THROW(real("sqrt(b)"), EvaluationError);
  EXPECT_THROW(real("broken + 1"), EvaluationError);
  EXPECT_THROW(real("pow(10, 400)"), EvaluationError);
}

TEST_F(Expressions, TellWhatTheyDependOn) {
  const auto expression = Expression::parse("twice + b + twice", scope);
  EXPECT_EQ(expression.identifiers(), (std::vector<std::string>{"twice", "b"}));
  EXPECT_EQ(expression.slots(), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(expression.text(), "twice + b + twice");
}

TEST_F(Expressions, NamedOnesDoNotBlowUp) {
  std::string last = "a";
  for (int i = 0; i < 60; ++i) {
    const std::string name = "x" + std::to_string(i);
    scope.add_expression(name, Expression::parse(last + " % 1000 + " + last, scope));
    last = name;
  }
  EXPECT_LT(Expression::parse(last, scope).nodes().size(), 200U);
}

/// A random text with its value by C++'s own operators, in 128 bits to detect overflow.
class Generator {
 public:
  explicit Generator(unsigned seed) : m_random(seed) {}

  struct Sample {
    std::string text;
    std::optional<std::int64_t> value;
  };

  Sample sample(int depth, std::span<const std::int64_t> slots) {
    if (depth == 0 || pick(6) == 0) return leaf(slots);
    const Sample a = sample(depth - 1, slots);
    const int choice = pick(16);
    if (choice == 14) return {"(-" + a.text + ")", checked(a, a, [](Wide x, Wide) { return -x; })};
    if (choice == 15) {
      return {"(!" + a.text + ")", checked(a, a, [](Wide x, Wide) { return Wide(x == 0); })};
    }
    return binary(choice, a, sample(depth - 1, slots), slots);
  }

 private:
  __extension__ using Wide = __int128;

  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(m_random); }

  Sample leaf(std::span<const std::int64_t> slots) {
    static constexpr std::array<const char*, 4> names = {"a", "b", "c", "BM"};
    const auto slot = static_cast<std::size_t>(pick(4));
    if (pick(2) == 0) return {names[slot], slots[slot]};
    const std::int64_t value = pick(8) == 0 ? highest : pick(40);
    return {std::to_string(value), value};
  }

  template <typename F>
  static std::optional<std::int64_t> checked(const Sample& a, const Sample& b, F f) {
    if (!a.value || !b.value) return std::nullopt;
    const Wide out = f(Wide{*a.value}, Wide{*b.value});
    if (out > highest || out < lowest) return std::nullopt;
    return static_cast<std::int64_t>(out);
  }

  Sample binary(int choice, const Sample& a, const Sample& b, std::span<const std::int64_t> slots) {
    const auto text = [&](const char* op) { return "(" + a.text + " " + op + " " + b.text + ")"; };
    const bool zero = b.value == 0;
    switch (choice) {
      case 0:
        return {text("+"), checked(a, b, [](Wide x, Wide y) { return x + y; })};
      case 1:
        return {text("-"), checked(a, b, [](Wide x, Wide y) { return x - y; })};
      case 2:
        return {text("*"), checked(a, b, [](Wide x, Wide y) { return x * y; })};
      case 3:
        if (zero) return {text("/"), std::nullopt};
        return {text("/"), checked(a, b, [](Wide x, Wide y) { return x / y; })};
      case 4:
        if (zero || (a.value == lowest && b.value == -1)) return {text("%"), std::nullopt};
        return {text("%"), checked(a, b, [](Wide x, Wide y) { return x % y; })};
      case 5:
        return {text("<"), checked(a, b, [](Wide x, Wide y) { return Wide(x < y); })};
      case 6:
        return {text(">="), checked(a, b, [](Wide x, Wide y) { return Wide(x >= y); })};
      case 7:
        return {text("=="), checked(a, b, [](Wide x, Wide y) { return Wide(x == y); })};
      case 8:
        return {text("&"), checked(a, b, [](Wide x, Wide y) { return x & y; })};
      case 9:
        return {text("|"), checked(a, b, [](Wide x, Wide y) { return x | y; })};
      case 10:
        return {"max(" + a.text + ", " + b.text + ")",
                checked(a, b, [](Wide x, Wide y) { return x < y ? y : x; })};
      case 11:
        if (!a.value) return {text("&&"), std::nullopt};
        if (*a.value == 0) return {text("&&"), 0};
        return {text("&&"), checked(a, b, [](Wide, Wide y) { return Wide(y != 0); })};
      case 12:
        if (!a.value) return {text("||"), std::nullopt};
        if (*a.value != 0) return {text("||"), 1};
        return {text("||"), checked(a, b, [](Wide, Wide y) { return Wide(y != 0); })};
      default: {
        const Sample c = sample(0, slots);
        const auto taken = !a.value ? std::nullopt : *a.value != 0 ? b.value : c.value;
        return {"(" + a.text + " ? " + b.text + " : " + c.text + ")", taken};
      }
    }
  }

  std::mt19937 m_random;
};

TEST_F(Expressions, AgreeWithCppOnRandomText) {
  Generator generator(1);
  int failing = 0;
  for (int i = 0; i < 8000; ++i) {
    const auto sample = generator.sample(5, slots);
    const Checked got = Expression::parse(sample.text, scope).try_evaluate(slots);
    ASSERT_EQ(got.failure == Failure::none, sample.value.has_value()) << sample.text;
    ASSERT_EQ(got.value, sample.value.value_or(got.value)) << sample.text;
    failing += sample.value ? 0 : 1;
  }
  EXPECT_GT(failing, 400);
  EXPECT_LT(failing, 6000);
}

TEST_F(Expressions, BoundsContainEveryValue) {
  Generator generator(2);
  std::mt19937 random(3);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  const std::array<std::string, 9> wrappers = {"log2(X)",    "pow2(X)",        "abs(X)",
                                               "is_pow2(X)", "X << b",         "X >> c",
                                               "gcd(X, a)",  "round_up(X, a)", "ceil_div(X, b)"};
  int tight = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = generator.sample(4, slots).text;
    if (i % 2 == 0) {
      std::string wrapper = wrappers[static_cast<std::size_t>(i / 2) % wrappers.size()];
      wrapper.replace(wrapper.find('X'), 1, text);
      text = wrapper;
    }
    const auto expression = Expression::parse(text, scope);
    std::array<Interval, 4> ranges;
    for (Interval& range : ranges) {
      range.low = pick(-6, 6);
      range.high = range.low + pick(0, 3);
    }
    const Interval bounds = expression.bounds(ranges);
    std::array<std::int64_t, 4> at{};
    for (at[0] = ranges[0].low; at[0] <= ranges[0].high; ++at[0])
      for (at[1] = ranges[1].low; at[1] <= ranges[1].high; ++at[1])
        for (at[2] = ranges[2].low; at[2] <= ranges[2].high; ++at[2])
          for (at[3] = ranges[3].low; at[3] <= ranges[3].high; ++at[3]) {
            const Checked got = expression.try_evaluate(at);
            if (got.failure != Failure::none) {
              ASSERT_NE(bounds.fails, Fails::never) << text;
              continue;
            }
            ASSERT_NE(bounds.fails, Fails::always) << text;
            ASSERT_LE(bounds.low, got.value) << text;
            ASSERT_GE(bounds.high, got.value) << text;
          }
    tight += bounds.low > -1000 && bounds.high < 1000 ? 1 : 0;
  }
  EXPECT_GT(tight, 1000);  // bounds that exclude nothing would pass the rest
}

TEST_F(Expressions, BoundsAreTightWherePruningNeedsThem) {
  const auto bounds = [&](const std::string& text, Interval a, Interval b) {
    const std::array<Interval, 4> ranges = {a, b, Interval::point(0), Interval::point(128)};
    return Expression::parse(text, scope).bounds(ranges);
  };
  EXPECT_TRUE(bounds("a * b <= 100", {11, 20}, {10, 12}).excluded());
  EXPECT_FALSE(bounds("a * b <= 100", {9, 20}, {10, 12}).excluded());
  EXPECT_TRUE(bounds("a + b == 7", {8, 20}, {0, 12}).excluded());
  EXPECT_TRUE(bounds("a / b >= 4", {8, 20}, {6, 12}).excluded());
  EXPECT_TRUE(bounds("a / c == 1", {8, 20}, {6, 12}).excluded());
  EXPECT_TRUE(bounds("a > 0 && b == 3", {1, 9}, {4, 6}).excluded());
  EXPECT_TRUE(bounds("(a == 1) * b > 6", {1, 9}, {4, 6}).excluded());
  EXPECT_TRUE(bounds("a + b > 9223372036854775807", {1, 9}, {1, 9}).excluded());
}

TEST_F(Expressions, EvaluateFast) {
  const auto expression = Expression::parse("(BM/a)*(BM/a) % 32 == 0 && BM*a + b <= 4096", scope);
  std::int64_t sum = 0;
  constexpr int times = 200'000;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) {
    slots[0] = 1 + i % 7;
    sum += expression.try_evaluate(slots).value;
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  EXPECT_GT(sum, 0);
  RecordProperty("ns_per_evaluation", static_cast<int>(took.count() / times));
  EXPECT_LT(took.count() / times, 5000);  // unoptimized and sanitized builds included
}

}  // namespace
}  // namespace gtune
