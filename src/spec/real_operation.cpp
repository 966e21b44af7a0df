#include "spec/real_operation.hpp"

#include <algorithm>
#include <cmath>

namespace gtune {
namespace {

double unary(Operation operation, double a) {
  switch (operation) {
    case Operation::negate:
      return -a;
    case Operation::logical_not:
      return a == 0 ? 1 : 0;
    case Operation::absolute:
      return std::abs(a);
    case Operation::log2:
      return std::log2(a);
    default:
      return std::sqrt(a);
  }
}

double binary(Operation operation, double a, double b) {
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::less:
      return a < b ? 1 : 0;
    case Operation::less_equal:
      return a <= b ? 1 : 0;
    case Operation::equal:
      return a == b ? 1 : 0;
    case Operation::not_equal:
      return a != b ? 1 : 0;
    case Operation::minimum:
      return std::min(a, b);
    case Operation::maximum:
      return std::max(a, b);
    case Operation::ceil_div:
      return std::ceil(a / b);
    case Operation::round_up:
      return std::ceil(a / b) * b;
    default:
      return std::pow(a, b);
  }
}

RealOrInteger logical(bool is_and, const RealOrInteger& a, const RealOrInteger& b) {
  const RealOrInteger& last = (a.real != 0) == is_and ? b : a;
  return {last.real != 0 ? 1.0 : 0.0, {0, last.integer.failure}};
}

}  // namespace

RealOrInteger apply(const Node& node, const RealOrInteger& a, const RealOrInteger& b,
                    const RealOrInteger& c) {
  if (!node.real) {
    const Checked value = apply(node.operation, a.integer, b.integer, c.integer);
    return {static_cast<double>(value.value), value};
  }
  if (a.integer.failure != Failure::none) return a;
  if (node.operation == Operation::select) return a.real != 0 ? b : c;
  if (node.operation == Operation::logical_and) return logical(true, a, b);
  if (node.operation == Operation::logical_or) return logical(false, a, b);
  if (operand_count(node.operation) == 1) return {unary(node.operation, a.real), {}};
  if (b.integer.failure != Failure::none) return b;
  return {binary(node.operation, a.real, b.real), {}};
}

}  // namespace gtune
