#include "spec/size_constraints.hpp"

#include <algorithm>
#include <optional>

#include "spec/evaluate.hpp"

namespace gtune {

SizeConstraints::SizeConstraints(const KernelSpec& spec, const Config& config,
                                 const DeviceFacts& device)
    : m_spec(spec), m_slots(slot_values(spec, {Problem(), config, device})) {
  for (const NamedExpression& constraint : spec.constraints) add(constraint.expression);
  for (const Expression& condition : spec.launch_conditions) add(condition);
  // The quick ones first: most problems that violate any violate one of these.
  std::stable_sort(m_open.begin(), m_open.end(), [](const Expression& a, const Expression& b) {
    return a.nodes().size() < b.nodes().size();
  });
}

void SizeConstraints::add(const Expression& condition) {
  std::vector<std::optional<std::int64_t>> known(m_slots.begin(), m_slots.end());
  std::fill_n(known.begin(), m_spec.sizes.size(), std::nullopt);
  Expression reduced = condition.given(known);
  if (!reduced.slots().empty()) {
    m_open.push_back(std::move(reduced));
  } else if (is_violated(reduced, m_slots)) {
    m_fail = true;
  }
}

bool SizeConstraints::hold(const Problem& problem) const {
  if (m_fail) return false;
  std::vector<std::int64_t> slots = m_slots;
  for (std::size_t i = 0; i < m_spec.sizes.size(); ++i) {
    slots[i] = problem.find(m_spec.sizes[i].name).value_or(0);
  }
  return std::none_of(m_open.begin(), m_open.end(),
                      [&](const Expression& condition) { return is_violated(condition, slots); });
}

}  // namespace gtune
