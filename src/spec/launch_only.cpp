#include "spec/launch_only.hpp"

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
    : m_spec(spec), m_compiled(compiled_expressions(spec)) {
  for (const std::string& name : unnamed) {
    if (const Parameter* param = spec.find_param(name)) m_unnamed.push_back(param);
  }
}

std::vector<const Parameter*> LaunchOnly::of(const Config& config) const {
  std::vector<std::optional<std::int64_t>> known(m_spec.sizes.size());
  for (const Parameter& param : m_spec.params) known.push_back(config.find(param.name));
  std::set<std::size_t> compiled;
  for (const Expression* expression : m_compiled) {
    for (const std::size_t slot : expression->slots_given(known)) compiled.insert(slot);
  }
  std::vector<const Parameter*> launch_only;
  for (const Parameter* param : m_unnamed) {
    const auto place = static_cast<std::size_t>(param - m_spec.params.data());
    if (!compiled.contains(m_spec.sizes.size() + place)) launch_only.push_back(param);
  }
  return launch_only;
}

}  // namespace gtune
