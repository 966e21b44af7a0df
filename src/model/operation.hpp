#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>

// The operations of expressions, on checked 64-bit integers. Inline, because enumerating a space
// spends its time here.
namespace gtune {

enum class Operation : std::uint8_t {
  constant,
  slot,
  // one operand
  negate,
  bit_not,
  logical_not,
  absolute,
  log2,
  is_pow2,
  pow2,
  sqrt,    // real only
  random,  // hash of an element's index; real only
  // two operands
  add,
  subtract,
  multiply,
  divide,
  remainder,
  less,
  less_equal,
  equal,
  not_equal,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  minimum,
  maximum,
  ceil_div,
  gcd,
  round_up,
  pow,  // real only
  logical_and,
  logical_or,
  // three operands
  select,
};

[[nodiscard]] constexpr int operand_count(Operation operation) {
  if (operation < Operation::negate) return 0;
  if (operation < Operation::add) return 1;
  return operation < Operation::select ? 2 : 3;
}

/// One step of an expression; operands are positions of earlier steps.
struct Node {
  Operation operation = Operation::constant;
  bool real = false;  // computed in double; integer operands are converted
  std::array<std::uint32_t, 3> operands = {};
  std::int64_t value = 0;  // constant: its value; slot: its number
  double real_value = 0;   // constant, real

  friend bool operator==(const Node&, const Node&) = default;
};

enum class Failure : std::uint8_t { none, division_by_zero, overflow, domain };

/// An integer, or why there is none.
struct Checked {
  std::int64_t value = 0;
  Failure failure = Failure::none;
};

namespace detail {

inline constexpr std::int64_t int64_lowest = std::numeric_limits<std::int64_t>::min();

constexpr Checked failed(Failure failure) { return {0, failure}; }
constexpr Checked truth(bool value) { return {value ? 1 : 0, Failure::none}; }

constexpr Failure division_failure(std::int64_t a, std::int64_t b) {
  if (b == 0) return Failure::division_by_zero;
  return a == int64_lowest && b == -1 ? Failure::overflow : Failure::none;
}

constexpr Checked multiply(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (__builtin_mul_overflow(a, b, &out)) return failed(Failure::overflow);
  return {out};
}

/// The quotient rounded up, for any signs.
constexpr Checked ceil_div(std::int64_t a, std::int64_t b) {
  const Failure failure = division_failure(a, b);
  if (failure != Failure::none) return failed(failure);
  const std::int64_t rest = a % b;
  return {a / b + (rest != 0 && (rest < 0) == (b < 0) ? 1 : 0)};
}

constexpr Checked round_up(std::int64_t a, std::int64_t b) {
  const Checked times = ceil_div(a, b);
  return times.failure == Failure::none ? multiply(times.value, b) : times;
}

constexpr Checked power_of_two(std::int64_t exponent) {
  if (exponent < 0 || exponent > 62) return failed(Failure::domain);
  return {std::int64_t{1} << exponent};
}

constexpr Checked shift_left(std::int64_t a, std::int64_t count) {
  const Checked factor = power_of_two(count);
  return factor.failure == Failure::none ? multiply(a, factor.value) : factor;
}

constexpr Checked shift_right(std::int64_t a, std::int64_t count) {
  if (count < 0 || count > 63) return failed(Failure::domain);
  return {a >> count};
}

constexpr Checked apply_unary(Operation operation, std::int64_t a) {
  switch (operation) {
    case Operation::negate:
      return a == int64_lowest ? failed(Failure::overflow) : Checked{-a};
    case Operation::bit_not:
      return {~a};
    case Operation::logical_not:
      return truth(a == 0);
    case Operation::absolute:
      if (a == int64_lowest) return failed(Failure::overflow);
      return {a < 0 ? -a : a};
    case Operation::log2:
      if (a <= 0) return failed(Failure::domain);
      return {63 - std::countl_zero(static_cast<std::uint64_t>(a))};
    case Operation::is_pow2:
      return truth(a > 0 && (a & (a - 1)) == 0);
    case Operation::pow2:
      return power_of_two(a);
    default:
      return failed(Failure::domain);
  }
}

constexpr Checked apply_binary(Operation operation, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  switch (operation) {
    case Operation::add:
      return __builtin_add_overflow(a, b, &out) ? failed(Failure::overflow) : Checked{out};
    case Operation::subtract:
      return __builtin_sub_overflow(a, b, &out) ? failed(Failure::overflow) : Checked{out};
    case Operation::multiply:
      return multiply(a, b);
    case Operation::divide:
      if (const Failure why = division_failure(a, b); why != Failure::none) return failed(why);
      return {a / b};
    case Operation::remainder:
      if (const Failure why = division_failure(a, b); why != Failure::none) return failed(why);
      return {a % b};
    case Operation::less:
      return truth(a < b);
    case Operation::less_equal:
      return truth(a <= b);
    case Operation::equal:
      return truth(a == b);
    case Operation::not_equal:
      return truth(a != b);
    case Operation::bit_and:
      return {a & b};
    case Operation::bit_or:
      return {a | b};
    case Operation::bit_xor:
      return {a ^ b};
    case Operation::shift_left:
      return shift_left(a, b);
    case Operation::shift_right:
      return shift_right(a, b);
    case Operation::minimum:
      return {a < b ? a : b};
    case Operation::maximum:
      return {a < b ? b : a};
    case Operation::ceil_div:
      return ceil_div(a, b);
    case Operation::gcd:
      if (a == int64_lowest || b == int64_lowest) return failed(Failure::overflow);
      return {std::gcd(a, b)};
    case Operation::round_up:
      return round_up(a, b);
    default:
      return failed(Failure::domain);
  }
}

/// && and || stop after the first operand if it decides, as in C.
constexpr Checked apply_logical(bool is_and, const Checked& a, const Checked& b) {
  if (a.failure != Failure::none) return a;
  if ((a.value != 0) != is_and) return truth(!is_and);
  return b.failure != Failure::none ? b : truth(b.value != 0);
}

}  // namespace detail

/// Applies the operation; operands beyond its count are ignored.
constexpr Checked apply(Operation operation, const Checked& a, const Checked& b, const Checked& c) {
  if (operation < Operation::add) {
    return a.failure != Failure::none ? a : detail::apply_unary(operation, a.value);
  }
  if (operation < Operation::logical_and) {
    if (a.failure != Failure::none) return a;
    return b.failure != Failure::none ? b : detail::apply_binary(operation, a.value, b.value);
  }
  if (operation == Operation::select) {
    if (a.failure != Failure::none) return a;
    return a.value != 0 ? b : c;
  }
  return detail::apply_logical(operation == Operation::logical_and, a, b);
}

}  // namespace gtune
