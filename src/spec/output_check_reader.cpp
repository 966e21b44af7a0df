#include "spec/output_check_reader.hpp"

#include <algorithm>

#include "spec/compare_reader.hpp"
#include "spec/element_expression.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

Expression read_tolerance(const SpecContext& context, const TomlValue& value,
                          const std::string& what) {
  Expression tolerance = context.expression(value, what, Depends::on_sizes, ExpressionKind::real);
  if (value.kind != Kind::string && !(context.number(value, what) >= 0)) {
    context.fail(value.place, what + " is negative or not a number; expected 0 or more");
  }
  return tolerance;
}

double read_share(const SpecContext& context, const TomlValue& value, const std::string& what) {
  const double share = context.number(value, what);
  if (share >= 0 && share < 1) return share;
  context.fail(value.place, what + " is not a share; expected 0 or more and less than 1");
}

void read_own_check(const SpecContext& context, const TomlValue& table, OutputCheckSpec& check) {
  const std::string name = "[check.outputs." + check.name + "]";
  const auto what = [&](const char* key) { return "'" + std::string(key) + "' of " + name; };
  context.expect(table, Kind::table, name);
  context.expect_keys(table, name, {"rtol", "atol", "may_differ", "count", "where", "compare"});
  if (const TomlValue* rtol = table.find("rtol")) {
    check.rtol = read_tolerance(context, *rtol, what("rtol"));
  }
  if (const TomlValue* atol = table.find("atol")) {
    check.atol = read_tolerance(context, *atol, what("atol"));
  }
  if (const TomlValue* share = table.find("may_differ")) {
    check.may_differ = read_share(context, *share, what("may_differ"));
  }
  if (const TomlValue* count = table.find("count")) {
    check.count = context.expression(*count, what("count"), Depends::on_sizes_and_device);
  }
  if (const TomlValue* where = table.find("where")) {
    check.where = read_element_expression(context, *where, what("where"));
  }
}

/// An output with a compare entry may have no other rule.
void require_alone(const SpecContext& context, const TomlValue& own, const std::string& output) {
  for (const TomlEntry& entry : own.entries) {
    if (entry.key == "compare") continue;
    context.fail(entry.place, "'" + entry.key + "' of [check.outputs." + output +
                                  "] beside 'compare'; expected one of them: the entry alone "
                                  "judges this output");
  }
}

/// An output without a 'count' is compared as a whole, so its size may not depend on parameters.
void require_same_size(const SpecContext& context, const Place& place, const BufferSpec& output) {
  for (const std::size_t slot : output.count.slots()) {
    if (!context.is_param(slot)) continue;
    context.fail(place, "the size of output '" + output.name + "' depends on parameter '" +
                            context.scope.slot_name(slot) +
                            "'; expected 'count' in [check.outputs." + output.name +
                            "], how much of it is compared");
  }
}

std::vector<std::string> output_names(const KernelSpec& spec) {
  std::vector<std::string> names;
  for (const ArgumentSpec& argument : spec.args) {
    if (is_output(argument)) names.push_back(std::get<BufferSpec>(argument).name);
  }
  return names;
}

const TomlValue* find_outputs(const SpecContext& context, const TomlValue& check,
                              const std::vector<std::string>& names) {
  const TomlValue* outputs = check.find("outputs");
  if (outputs == nullptr) return nullptr;
  context.expect(*outputs, Kind::table, "'outputs' of [check]");
  for (const TomlEntry& entry : outputs->entries) {
    if (std::find(names.begin(), names.end(), entry.key) != names.end()) continue;
    context.fail(entry.place, "'" + entry.key + "' is not an output of the kernel" +
                                  did_you_mean(entry.key, names));
  }
  return outputs;
}

}  // namespace

std::vector<OutputCheckSpec> read_output_checks(
    const SpecContext& context, const TomlValue& check, const KernelSpec& spec, bool has_reference,
    std::span<const std::filesystem::path> source_folders) {
  const TomlValue* rtol = check.find("rtol");
  const TomlValue* atol = check.find("atol");
  const std::vector<std::string> names = output_names(spec);
  const TomlValue* outputs = find_outputs(context, check, names);
  std::vector<OutputCheckSpec> checks;
  for (const std::string& name : names) {
    OutputCheckSpec one;
    one.name = name;
    if (rtol != nullptr) one.rtol = read_tolerance(context, *rtol, "'rtol'");
    if (atol != nullptr) one.atol = read_tolerance(context, *atol, "'atol'");
    const TomlValue* own = outputs == nullptr ? nullptr : outputs->find(name);
    if (own != nullptr) read_own_check(context, *own, one);
    const TomlValue* compare = own == nullptr ? nullptr : own->find("compare");
    if (compare != nullptr) {
      require_alone(context, *own, name);
      const TomlValue* reference = check.find("reference");
      const bool is_none = reference != nullptr && reference->kind == Kind::string;
      one.compare = read_compare(context, *compare, name, spec, !is_none, source_folders);
      checks.push_back(std::move(one));
      continue;
    }
    const bool has_rtol = rtol != nullptr || (own != nullptr && own->find("rtol") != nullptr);
    if (has_reference && !has_rtol && is_floating(spec.find_buffer(name)->type)) {
      (void)context.require(check, "rtol", "[check]");
    }
    if (has_reference && !one.count) {
      require_same_size(context, check.place, *spec.find_buffer(name));
    }
    checks.push_back(std::move(one));
  }
  return checks;
}

}  // namespace gtune
