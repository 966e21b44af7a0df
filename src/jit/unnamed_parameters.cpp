#include "jit/unnamed_parameters.hpp"

#include <algorithm>

#include "spec/entry.hpp"
#include "spec/evaluate.hpp"

namespace gtune {
namespace {

bool is_in_options(const KernelSpec& spec, const std::string& name) {
  return std::any_of(spec.options.begin(), spec.options.end(), [&](const std::string& option) {
    return option.find("{" + name + "}") != std::string::npos;
  });
}

}  // namespace

std::vector<std::string> unnamed_parameters(const KernelSpec& spec, const KernelSource& source) {
  const std::vector<std::string> in_entry = template_arguments(spec.steps);
  const std::vector<std::string> macros = possible_macros(spec);
  Config first;
  for (const Parameter& param : spec.params) first.set(param.name, param.values.front());
  const std::vector<std::string> options = compile_options(spec, first);
  const auto is_among = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<std::string> unnamed;
  for (const Parameter& param : spec.params) {
    const std::string& name = param.name;
    const bool is_named = is_among(in_entry, name) || is_in_options(spec, name) ||
                          (is_among(macros, name) && source.names(name, options));
    if (!is_named) unnamed.push_back(name);
  }
  return unnamed;
}

}  // namespace gtune
