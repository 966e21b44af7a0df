#include "spec/fixed_params_reader.hpp"

#include "spec/suggestion.hpp"
#include "spec/value_reader.hpp"

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
                   "'" + entry.key + "' is not a parameter" + did_you_mean(entry.key, names));
    }
    params.set(entry.key, read_value(context, entry.value, "'" + entry.key + "'"));
  }
  return params;
}

}  // namespace gtune
