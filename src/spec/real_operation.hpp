#pragma once

#include "model/operation.hpp"

namespace gtune {

/// A step's value in an expression of kind real: a double, and the integer if the step has one.
struct RealOrInteger {
  double real = 0;
  Checked integer;  // its failure applies to real steps as well
};

/// Applies a step to its operands; integer steps are computed on integers.
[[nodiscard]] RealOrInteger apply(const Node& node, const RealOrInteger& a, const RealOrInteger& b,
                                  const RealOrInteger& c);

}  // namespace gtune
