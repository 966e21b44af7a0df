// Expressions of a spec: parsed, evaluated and bounded. The text may be anything.

#include "spec/expression.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "../mutate.hpp"
#include "../target.hpp"
#include "spec/scope.hpp"

namespace gtune::fuzz {
namespace {

constexpr std::array<std::string_view, 43> words = {
    "M",         "N",         "BM",    "BK",       "half",  "dev_cc", "min(",  "max(", "abs(",
    "ceil_div(", "round_up(", "log2(", "is_pow2(", "pow2(", "gcd(",   "sqrt(", "pow(", ")",
    "(",         ",",         "<<",    ">>",       "<=",    ">=",     "==",    "!=",   "&&",
    "||",        "+",         "-",     "*",        "/",     "%",      "<",     ">",    "!",
    "~",         "&",         "|",     "^",        "?",     ":",      " "};

class ExpressionTarget : public Target {
 public:
  ExpressionTarget() {
    for (const char* name : {"M", "N", "BM", "BK", "dev_cc"}) m_scope.add_slot(name);
    m_scope.add_expression("half", Expression::parse("M / 2", m_scope));
  }

  void run(const std::string& input) override {
    try {
      check_integer(Expression::parse(input, m_scope));
    } catch (const ExpressionError& error) {
      check_error(error, input);
    }
    try {
      check_real(Expression::parse(input, m_scope, ExpressionKind::real));
    } catch (const ExpressionError& error) {
      check_error(error, input);
    }
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    if (one_in(4, random)) return generate(random, 6);
    if (one_in(200, random)) {
      return std::string(some_length(200000, random), pick(std::string_view("(-!~"), random)) +
             input;
    }
    return mutate_bytes(std::move(input), other, words, random);
  }

 private:
  using Slots = std::array<std::int64_t, 5>;

  static constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  static constexpr std::array<Slots, 5> slots = {{{4096, 4096, 128, 8, 90},
                                                  {0, 0, 0, 0, 0},
                                                  {1, -1, 3, -7, 100},
                                                  {least, most, least, most, -1},
                                                  {most, most, 1, 2, 63}}};

  static void check_error(const ExpressionError& error, const std::string& input) {
    check_message(error.what());
    require(error.offset() <= input.size(), "an error behind the end of the text");
  }

  /// Enumerations rely on this: bounds are never too narrow.
  static void check_integer(const Expression& expression) {
    std::array<Interval, 5> all;
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = Interval::point(slots[0][i]);
      for (const Slots& each : slots) {
        all[i].low = std::min(all[i].low, each[i]);
        all[i].high = std::max(all[i].high, each[i]);
      }
    }
    const Interval bounds = expression.bounds(all);
    for (const Slots& each : slots) {
      const Checked value = expression.try_evaluate(each);
      std::array<Interval, 5> points;
      for (std::size_t i = 0; i < points.size(); ++i) points[i] = Interval::point(each[i]);
      for (const Interval& within : {bounds, expression.bounds(points)}) {
        if (value.failure != Failure::none) {
          require(within.fails != Fails::never, "bounds say that it cannot fail, and it fails");
          continue;
        }
        require(within.fails != Fails::always, "bounds say that it fails, and it does not");
        require(within.low <= value.value && value.value <= within.high, "bounds too narrow");
      }
    }
    (void)expression.slots();
  }

  static void check_real(const Expression& expression) {
    for (const Slots& each : slots) {
      try {
        const double value = expression.evaluate_real(each);
        require(value - value == 0, "a value that is not finite");
      } catch (const EvaluationError& error) {
        check_message(error.what());
      }
    }
  }

  static std::string generate(Random& random, int depth) {
    if (depth == 0 || one_in(4, random)) {
      static constexpr std::array<std::string_view, 6> names = {"M",  "N",    "BM",
                                                                "BK", "half", "dev_cc"};
      return one_in(2, random) ? std::string(pick(names, random)) : hostile_number(random);
    }
    static constexpr std::array<std::string_view, 18> binary = {"+",  "-", "*",  "/", "%",  "<<",
                                                                ">>", "<", "<=", ">", ">=", "==",
                                                                "!=", "&", "|",  "^", "&&", "||"};
    static constexpr std::array<std::string_view, 5> of_two = {"min", "max", "ceil_div", "round_up",
                                                               "gcd"};
    static constexpr std::array<std::string_view, 6> of_one = {"abs",  "log2", "is_pow2",
                                                               "pow2", "sqrt", "-"};
    const auto part = [&] { return generate(random, depth - 1); };
    switch (random.below(5)) {
      case 0:
        return std::string(pick(of_one, random)) + "(" + part() + ")";
      case 1:
        return std::string(pick(of_two, random)) + "(" + part() + ", " + part() + ")";
      case 2:
        return "(" + part() + " ? " + part() + " : " + part() + ")";
      default:
        return "(" + part() + " " + std::string(pick(binary, random)) + " " + part() + ")";
    }
  }

  Scope m_scope;
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<ExpressionTarget>(); }

}  // namespace gtune::fuzz
