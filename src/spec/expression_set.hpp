#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spec/expression.hpp"

namespace gtune {

/// Expressions of integers that are evaluated together: steps that several have are computed once.
class ExpressionSet {
 public:
  ExpressionSet() = default;
  explicit ExpressionSet(const std::vector<Expression>& expressions);

  /// The values, in the order of the expressions.
  void try_evaluate(std::span<const std::int64_t> slots, std::vector<Checked>& values) const;

 private:
  std::vector<Node> m_nodes;
  std::vector<std::uint32_t> m_results;  // by expression: its last step
};

}  // namespace gtune
