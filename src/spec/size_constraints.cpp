#include "spec/size_constraints.hpp"

#include <algorithm>

#include "spec/evaluate.hpp"

namespace gtune {

SizeConstraints::SizeConstraints(const KernelSpec& spec, const OpenSizes& open) {
  const auto add = [&](const Expression& condition) {
    Expression reduced = open.reduced(condition);
    if (!reduced.slots().empty()) {
      m_open.push_back(std::move(reduced));
    } else if (is_violated(reduced, {})) {
      m_fail = true;
    }
  };
  for (const NamedExpression& constraint : spec.constraints) add(constraint.expression);
  for (const Expression& condition : spec.launch_conditions) add(condition);
  // The quick ones first: most problems that violate any violate one of these.
  std::stable_sort(m_open.begin(), m_open.end(), [](const Expression& a, const Expression& b) {
    return a.nodes().size() < b.nodes().size();
  });
}

bool SizeConstraints::hold(const std::vector<std::int64_t>& sizes) const {
  return !m_fail && std::none_of(m_open.begin(), m_open.end(), [&](const Expression& condition) {
    return is_violated(condition, sizes);
  });
}

}  // namespace gtune
