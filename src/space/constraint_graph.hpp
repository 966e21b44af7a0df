#pragma once

#include <cstdint>
#include <vector>

#include "spec/expression.hpp"
#include "spec/node_list.hpp"

namespace gtune {

/// A condition that a valid configuration meets: one of the terms of a constraint that is a
/// conjunction.
struct Condition {
  std::uint32_t root = 0;      // its node
  std::size_t constraint = 0;  // which constraint it is a term of
};

/// The conditions of a space as one graph of steps, what they share computed once. Nodes come
/// after their operands.
class ConstraintGraph {
 public:
  /// Adds the expression's terms as conditions of this constraint.
  void add(const Expression& expression, std::size_t constraint);

  [[nodiscard]] const std::vector<Node>& nodes() const { return m_nodes.nodes(); }
  [[nodiscard]] const std::vector<Condition>& conditions() const { return m_conditions; }

  /// For each node, whether it depends on each of `count` slots from `first` on.
  [[nodiscard]] std::vector<std::vector<bool>> dependencies(std::size_t first,
                                                            std::size_t count) const;

 private:
  NodeList m_nodes;
  std::vector<Condition> m_conditions;
};

}  // namespace gtune
