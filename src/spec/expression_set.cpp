#include "spec/expression_set.hpp"

#include "spec/node_list.hpp"

namespace gtune {

ExpressionSet::ExpressionSet(const std::vector<Expression>& expressions) {
  NodeList list;
  for (const Expression& each : expressions) m_results.push_back(list.append(each.nodes()));
  m_nodes = list.nodes();
}

void ExpressionSet::try_evaluate(std::span<const std::int64_t> slots,
                                 std::vector<Checked>& values) const {
  const Checked* const steps = step_values(m_nodes, slots);
  values.clear();
  for (const std::uint32_t each : m_results) values.push_back(steps[each]);
}

}  // namespace gtune
