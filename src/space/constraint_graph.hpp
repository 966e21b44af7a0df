#pragma once

#include <cstdint>
#include <vector>

#include "spec/expression.hpp"
#include "spec/node_list.hpp"

namespace gtune {

/// A condition that every valid configuration satisfies: a constraint, or a term of a conjunction.
struct Condition {
  std::uint32_t root = 0;      // the node of its value
  std::size_t constraint = 0;  // the constraint that it belongs to
};

/// The conditions of a space as one graph of steps. Shared steps are computed once; nodes come
/// after their operands.
class ConstraintGraph {
 public:
  /// Adds the terms of the expression as conditions of the given constraint.
  void add(const Expression& expression, std::size_t constraint);

  [[nodiscard]] const std::vector<Node>& nodes() const { return m_nodes.nodes(); }
  [[nodiscard]] const std::vector<Condition>& conditions() const { return m_conditions; }

  /// Indexed [node][i]: whether the node depends on slot `first` + i, for i below `count`.
  [[nodiscard]] std::vector<std::vector<bool>> dependencies(std::size_t first,
                                                            std::size_t count) const;

 private:
  NodeList m_nodes;
  std::vector<Condition> m_conditions;
};

}  // namespace gtune
