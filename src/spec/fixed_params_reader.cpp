#include "spec/fixed_params_reader.hpp"

#include "spec/suggestion.hpp"

namespace gtune {

Config read_fixed_params(const SpecContext& context, const TomlValue& table,
                         const std::string& what, const KernelSpec& spec) {
  context.expect(table, TomlValue::Kind::table, what);
  std::vector<std::string> names;
  for (const Parameter& param : spec.params) names.push_back(param.name);
  Config params;
  for (const TomlEntry& entry : table.entries) {
    if (spec.find_param(entry.key) == nullptr) {
      context.fail(entry.place,
                   "'" + entry.key + "' is no parameter" + did_you_mean(entry.key, names));
    }
    const TomlValue& value =
        context.expect(entry.value, TomlValue::Kind::integer, "'" + entry.key + "'");
    params.set(entry.key, value.integer);
  }
  return params;
}

}  // namespace gtune
