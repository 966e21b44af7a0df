#include "spec/interval.hpp"

#include <algorithm>
#include <array>

namespace gtune {
namespace {

__extension__ using Wide = __int128;  // holds every sum and product of two 64-bit integers

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr Interval anything = {lowest, highest, Fails::maybe};
constexpr Interval unknown_truth = {0, 1};

Interval truth(bool always, bool never) {
  if (always) return {1, 1};
  return never ? Interval{0, 0} : unknown_truth;
}

/// Values beyond 64 bits are failures and do not widen the interval.
Interval clamped(Wide low, Wide high) {
  if (low > highest || high < lowest) return {0, 0, Fails::always};
  const bool fits = low >= lowest && high <= highest;
  return {static_cast<std::int64_t>(std::max<Wide>(low, lowest)),
          static_cast<std::int64_t>(std::min<Wide>(high, highest)),
          fits ? Fails::never : Fails::maybe};
}

/// Not of an initializer_list: its 128-bit integers are lost with g++ 14.2 and -O1.
Interval hull_of(const std::array<Wide, 4>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return clamped(*least, *most);
}

Interval hull(const Interval& a, const Interval& b) {
  if (a.fails == Fails::always && b.fails == Fails::always) return a;
  const Fails fails = std::max(a.fails, b.fails) == Fails::never ? Fails::never : Fails::maybe;
  if (a.fails == Fails::always) return {b.low, b.high, fails};
  if (b.fails == Fails::always) return {a.low, a.high, fails};
  return {std::min(a.low, b.low), std::max(a.high, b.high), fails};
}

Interval with_fails(Interval value, Fails fails) {
  value.fails = std::max(value.fails, fails);
  return value;
}

Interval multiply(const Interval& a, const Interval& b) {
  if (a.low >= 0 && b.low >= 0) return clamped(Wide{a.low} * b.low, Wide{a.high} * b.high);
  return hull_of(
      {Wide{a.low} * b.low, Wide{a.low} * b.high, Wide{a.high} * b.low, Wide{a.high} * b.high});
}

/// Truncating or ceiling quotient; both are monotonic in each operand while b keeps its sign.
Interval divide(Operation operation, const Interval& a, const Interval& b) {
  const auto quotient = [&](Wide x, Wide y) {
    const Wide rest = x % y;
    const bool up = operation == Operation::ceil_div && rest != 0 && (rest < 0) == (y < 0);
    return x / y + (up ? 1 : 0);
  };
  const auto corners = [&](std::int64_t low, std::int64_t high) {
    return hull_of({quotient(a.low, low), quotient(a.low, high), quotient(a.high, low),
                    quotient(a.high, high)});
  };
  if (b.low > 0 || b.high < 0) return corners(b.low, b.high);
  Interval out = {0, 0, Fails::always};
  if (b.low < 0) out = hull(out, corners(b.low, -1));
  if (b.high > 0) out = hull(out, corners(1, b.high));
  return out;
}

Interval remainder(const Interval& a, const Interval& b) {
  if (b.low == 0 && b.high == 0) return {0, 0, Fails::always};
  const Wide largest =
      std::max(b.low < 0 ? -Wide{b.low} : Wide{b.low}, b.high < 0 ? -Wide{b.high} : Wide{b.high});
  Fails fails = b.low <= 0 && b.high >= 0 ? Fails::maybe : Fails::never;
  if (a.low == lowest && b.low <= -1 && b.high >= -1) fails = Fails::maybe;
  if (fails == Fails::never && b.low == b.high && a.low >= 0 && a.low / b.low == a.high / b.low) {
    return {a.low % b.low, a.high % b.low};
  }
  const Wide low = a.low < 0 ? std::max<Wide>(a.low, -(largest - 1)) : Wide{0};
  const Wide high = a.high > 0 ? std::min<Wide>(a.high, largest - 1) : Wide{0};
  return with_fails(clamped(low, high), fails);
}

Interval bit_operation(Operation operation, const Interval& a, const Interval& b) {
  if (a.low < 0 || b.low < 0) return {lowest, highest};
  if (operation == Operation::bit_and) return {0, std::min(a.high, b.high)};
  const auto bits = std::bit_width(static_cast<std::uint64_t>(std::max(a.high, b.high)));
  return {0, static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1)};
}

Interval shift(Operation operation, const Interval& a, const Interval& b) {
  const bool left = operation == Operation::shift_left;
  const std::int64_t most = left ? 62 : 63;
  if (b.high < 0 || b.low > most) return {0, 0, Fails::always};
  const Fails fails = b.low < 0 || b.high > most ? Fails::maybe : Fails::never;
  const std::int64_t fewest = std::max<std::int64_t>(b.low, 0);
  const std::int64_t last = std::min(b.high, most);
  if (left) {
    return with_fails(multiply(a, {std::int64_t{1} << fewest, std::int64_t{1} << last}), fails);
  }
  return with_fails(hull_of({a.low >> fewest, a.low >> last, a.high >> fewest, a.high >> last}),
                    fails);
}

Interval absolute(const Interval& a) {
  const Wide low = a.low < 0 ? -Wide{a.low} : Wide{a.low};
  const Wide high = a.high < 0 ? -Wide{a.high} : Wide{a.high};
  const bool across = a.low <= 0 && a.high >= 0;
  return clamped(across ? Wide{0} : std::min(low, high), std::max(low, high));
}

Interval greatest_divisor(const Interval& a, const Interval& b) {
  if (a.low == lowest || b.low == lowest) return anything;
  return {0, std::max(absolute(a).high, absolute(b).high)};
}

Interval round_up(const Interval& x, const Interval& multiple) {
  if (multiple.low <= 0) return anything;
  if (multiple.is_point()) return multiply(divide(Operation::ceil_div, x, multiple), multiple);
  return clamped(x.low, Wide{x.high} + multiple.high - 1);
}

/// For an operation that is monotonic over low..high and fails outside.
Interval monotonic(Operation operation, const Interval& a, std::int64_t low, std::int64_t high) {
  if (a.high < low || a.low > high) return {0, 0, Fails::always};
  const Fails fails = a.low < low || a.high > high ? Fails::maybe : Fails::never;
  return {apply(operation, Checked{std::max(a.low, low)}, {}, {}).value,
          apply(operation, Checked{std::min(a.high, high)}, {}, {}).value, fails};
}

Interval unary(Operation operation, const Interval& a) {
  switch (operation) {
    case Operation::negate:
      return clamped(-Wide{a.high}, -Wide{a.low});
    case Operation::bit_not:
      return {~a.high, ~a.low};
    case Operation::logical_not:
      return truth(a.low == 0 && a.high == 0, a.low > 0 || a.high < 0);
    case Operation::absolute:
      return absolute(a);
    case Operation::log2:
      return monotonic(operation, a, 1, highest);
    case Operation::pow2:
      return monotonic(operation, a, 0, 62);
    case Operation::is_pow2:
      return unknown_truth;
    default:
      return anything;
  }
}

Interval binary(Operation operation, const Interval& a, const Interval& b) {
  switch (operation) {
    case Operation::add:
      return clamped(Wide{a.low} + b.low, Wide{a.high} + b.high);
    case Operation::subtract:
      return clamped(Wide{a.low} - b.high, Wide{a.high} - b.low);
    case Operation::multiply:
      return multiply(a, b);
    case Operation::divide:
    case Operation::ceil_div:
      return divide(operation, a, b);
    case Operation::remainder:
      return remainder(a, b);
    case Operation::less:
      return truth(a.high < b.low, a.low >= b.high);
    case Operation::less_equal:
      return truth(a.high <= b.low, a.low > b.high);
    case Operation::equal:
      return truth(false, a.high < b.low || b.high < a.low);
    case Operation::not_equal:
      return truth(a.high < b.low || b.high < a.low, false);
    case Operation::bit_and:
    case Operation::bit_or:
    case Operation::bit_xor:
      return bit_operation(operation, a, b);
    case Operation::shift_left:
    case Operation::shift_right:
      return shift(operation, a, b);
    case Operation::minimum:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Operation::maximum:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Operation::gcd:
      return greatest_divisor(a, b);
    case Operation::round_up:
      return round_up(a, b);
    default:
      return anything;
  }
}

/// Whether some value may be true, and whether some value may be false. Failures do not count.
bool may_hold(const Interval& a) { return a.low != 0 || a.high != 0; }
bool may_not_hold(const Interval& a) { return a.low <= 0 && a.high >= 0; }

Interval logical(bool is_and, const Interval& a, const Interval& b) {
  const bool goes_on = is_and ? may_hold(a) : may_not_hold(a);  // b may be evaluated
  const bool stops = is_and ? may_not_hold(a) : may_hold(a);
  const std::int64_t stopped = is_and ? 0 : 1;
  if (!goes_on) return {stopped, stopped, a.fails};
  Interval out = {0, 0, Fails::always};
  if (b.fails != Fails::always) out = {may_not_hold(b) ? 0 : 1, may_hold(b) ? 1 : 0, b.fails};
  if (stops) out = hull(out, {stopped, stopped});
  return with_fails(out, a.fails);
}

Interval select(const Interval& condition, const Interval& yes, const Interval& no) {
  if (!may_not_hold(condition)) return with_fails(yes, condition.fails);
  if (!may_hold(condition)) return with_fails(no, condition.fails);
  return with_fails(hull(yes, no), condition.fails);
}

Interval exact(Operation operation, const Interval& a, const Interval& b, const Interval& c) {
  const Checked value = apply(operation, Checked{a.low}, Checked{b.low}, Checked{c.low});
  if (value.failure != Failure::none) return {0, 0, Fails::always};
  return Interval::point(value.value);
}

}  // namespace

Interval apply(Operation operation, const Interval& a, const Interval& b, const Interval& c) {
  if (a.fails == Fails::always) return a;
  if (operation == Operation::select) return select(a, b, c);
  if (operation == Operation::logical_and) return logical(true, a, b);
  if (operation == Operation::logical_or) return logical(false, a, b);
  if (operand_count(operation) == 1) {
    if (a.is_point()) return exact(operation, a, {}, {});
    return with_fails(unary(operation, a), a.fails);
  }
  if (b.fails == Fails::always) return b;
  if (a.is_point() && b.is_point()) return exact(operation, a, b, {});
  return with_fails(binary(operation, a, b), std::max(a.fails, b.fails));
}

}  // namespace gtune
