#pragma once

#include "model/operation.hpp"

namespace gtune {

/// A value of an expression of kind real: always a double, and the integer where the step is one.
struct RealOrInteger {
  double real = 0;
  Checked integer;  // its failure is also a real step's
};

/// The step on its operands; one that is not real is computed on integers.
[[nodiscard]] RealOrInteger apply(const Node& node, const RealOrInteger& a, const RealOrInteger& b,
                                  const RealOrInteger& c);

}  // namespace gtune
