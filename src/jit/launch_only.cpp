#include "jit/launch_only.hpp"

#include <algorithm>
#include <set>

#include "spec/entry.hpp"
#include "spec/evaluate.hpp"

namespace gtune {
namespace {

bool is_in_options(const KernelSpec& spec, const std::string& name) {
  return std::any_of(spec.options.begin(), spec.options.end(), [&](const std::string& option) {
    return option.find("{" + name + "}") != std::string::npos;
  });
}

/// The slots on which the spec's macros and the lets among the template's arguments depend.
std::set<std::size_t> compiled_slots(const KernelSpec& spec) {
  std::set<std::size_t> slots;
  const auto add = [&](const Expression& expression) {
    for (const std::size_t slot : expression.slots()) slots.insert(slot);
  };
  for (const NamedExpression& macro : spec.macros) add(macro.expression);
  for (const std::string& name : template_arguments(spec.steps)) {
    if (const NamedExpression* let = spec.find_let(name)) add(let->expression);
  }
  return slots;
}

}  // namespace

std::vector<std::string> launch_only_parameters(const KernelSpec& spec,
                                                const KernelSource& source) {
  const std::vector<std::string> in_entry = template_arguments(spec.steps);
  const std::vector<std::string> macros = possible_macros(spec);
  const std::set<std::size_t> slots = compiled_slots(spec);
  Config first;
  for (const Parameter& param : spec.params) first.set(param.name, param.values.front());
  const std::vector<std::string> options = compile_options(spec, first);
  const auto is_among = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<std::string> launch_only;
  for (std::size_t i = 0; i < spec.params.size(); ++i) {
    const std::string& name = spec.params[i].name;
    const bool is_compiled = is_among(in_entry, name) || slots.contains(spec.sizes.size() + i) ||
                             is_in_options(spec, name) ||
                             (is_among(macros, name) && source.names(name, options));
    if (!is_compiled) launch_only.push_back(name);
  }
  return launch_only;
}

}  // namespace gtune
