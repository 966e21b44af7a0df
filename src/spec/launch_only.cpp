#include "spec/launch_only.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "spec/entry.hpp"

namespace gtune {

std::vector<const Expression*> compiled_expressions(const KernelSpec& spec) {
  std::vector<const Expression*> all;
  for (const NamedExpression& macro : spec.macros) all.push_back(&macro.expression);
  for (const std::string& name : template_arguments(spec.steps)) {
    if (const NamedExpression* let = spec.find_let(name)) all.push_back(&let->expression);
  }
  return all;
}

LaunchOnly::LaunchOnly(const KernelSpec& spec, const std::vector<std::string>& unnamed)
    : m_spec(spec) {
  std::set<std::size_t> slots;
  for (const std::string& name : unnamed) {
    const Parameter* param = spec.find_param(name);
    if (param == nullptr) continue;
    m_unnamed.push_back(param);
    slots.insert(slot_of(*param));
  }
  for (const Expression* expression : compiled_expressions(spec)) {
    const std::vector<std::size_t> own = expression->slots();
    const bool matters =
        std::any_of(own.begin(), own.end(), [&](std::size_t slot) { return slots.contains(slot); });
    if (matters) m_compiled.push_back(expression);
  }
}

std::size_t LaunchOnly::slot_of(const Parameter& param) const {
  return m_spec.sizes.size() + static_cast<std::size_t>(&param - m_spec.params.data());
}

std::vector<const Parameter*> LaunchOnly::of(const Config& config) const {
  if (m_compiled.empty()) return m_unnamed;
  const std::scoped_lock lock(m_mutex);
  const auto [known, is_new] = m_known.try_emplace(config.entries());
  if (is_new) known->second = find(config);
  return known->second;
}

std::vector<const Parameter*> LaunchOnly::find(const Config& config) const {
  std::vector<std::optional<std::int64_t>> known(m_spec.sizes.size());
  for (const Parameter& param : m_spec.params) known.push_back(config.find(param.name));
  std::set<std::size_t> compiled;
  for (const Expression* expression : m_compiled) {
    for (const std::size_t slot : expression->slots_given(known)) compiled.insert(slot);
  }
  std::vector<const Parameter*> launch_only;
  for (const Parameter* param : m_unnamed) {
    if (!compiled.contains(slot_of(*param))) launch_only.push_back(param);
  }
  return launch_only;
}

}  // namespace gtune
