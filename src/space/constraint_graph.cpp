#include "space/constraint_graph.hpp"

#include <algorithm>

namespace gtune {

void ConstraintGraph::add(const Expression& expression, std::size_t constraint) {
  std::vector<std::uint32_t> pending = {m_nodes.append(expression.nodes())};
  std::vector<bool> seen(nodes().size(), false);
  while (!pending.empty()) {
    const std::uint32_t root = pending.back();
    pending.pop_back();
    if (seen[root]) continue;
    seen[root] = true;
    const Node& node = m_nodes.nodes()[root];
    if (node.operation == Operation::logical_and) {
      pending.push_back(node.operands[1]);
      pending.push_back(node.operands[0]);  // last, so it is popped first: terms keep their order
      continue;
    }
    const auto same = [&](const Condition& other) { return other.root == root; };
    if (std::none_of(m_conditions.begin(), m_conditions.end(), same)) {
      m_conditions.push_back({root, constraint});
    }
  }
}

std::vector<std::vector<bool>> ConstraintGraph::dependencies(std::size_t first,
                                                             std::size_t count) const {
  std::vector<std::vector<bool>> out;
  for (const Node& node : nodes()) {
    std::vector<bool> depends(count, false);
    if (node.operation == Operation::slot) {
      const auto slot = static_cast<std::size_t>(node.value);
      if (slot >= first && slot < first + count) depends[slot - first] = true;
    }
    for (int i = 0; i < operand_count(node.operation); ++i) {
      const std::vector<bool>& of_operand = out[node.operands[static_cast<std::size_t>(i)]];
      for (std::size_t p = 0; p < count; ++p) depends[p] = depends[p] || of_operand[p];
    }
    out.push_back(std::move(depends));
  }
  return out;
}

}  // namespace gtune
