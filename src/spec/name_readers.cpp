#include "spec/name_readers.hpp"

#include <algorithm>
#include <set>

#include "model/value_word.hpp"
#include "spec/compiler_options.hpp"
#include "spec/entry.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/reserved_names.hpp"
#include "spec/step_conditions.hpp"
#include "spec/value_reader.hpp"

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

/// Distinct whole numbers of at least 0.
std::vector<std::int64_t> read_choices(const SpecContext& context, const TomlValue& list) {
  context.expect(list, Kind::array, "'choices'");
  std::vector<std::int64_t> choices;
  std::set<std::int64_t> seen;
  for (const TomlValue& item : list.items) {
    const std::int64_t value = context.expect(item, Kind::integer, "a choice").integer;
    if (value < 0 || value > largest_size) {
      context.fail(item.place, "the choice " + std::to_string(value) +
                                   " is out of range; expected " + "0 to " +
                                   std::to_string(largest_size));
    }
    if (!seen.insert(value).second) {
      context.fail(item.place,
                   "the choice " + std::to_string(value) + " appears twice; expected it once");
    }
    choices.push_back(value);
  }
  if (choices.empty()) context.fail(list.place, "'choices' is empty; expected at least one");
  return choices;
}

void read_bounds(const SpecContext& context, const TomlValue& table, ProblemSize& size) {
  for (const char* key : {"minimum", "maximum"}) {
    const TomlValue* bound = table.find(key);
    if (bound == nullptr) continue;
    const std::string what = "'" + std::string(key) + "'";
    if (table.find("choices") != nullptr) {
      context.fail(bound->place, what + " cannot be combined with 'choices'; expected one of them");
    }
    const std::int64_t value = context.expect(*bound, Kind::integer, what).integer;
    if (value < 0) context.fail(bound->place, what + " is negative; expected 0 or more");
    (std::string_view(key) == "minimum" ? size.minimum : size.maximum) =
        std::min(value, largest_size);
  }
  if (size.minimum > size.maximum) {
    context.fail(table.place, "'minimum' is " + std::to_string(size.minimum) + ", 'maximum' " +
                                  std::to_string(size.maximum) + "; expected the lower one first");
  }
}

void read_size(const SpecContext& context, const TomlEntry& entry, ProblemSize& size) {
  const std::string what = "problem size '" + entry.key + "'";
  const TomlValue* value = &entry.value;
  if (value->kind == Kind::table) {
    context.expect_keys(*value, what, {"default", "minimum", "maximum", "choices", "help"});
    size.help = context.optional_string(*value, "help");
    read_bounds(context, *value, size);
    if (const TomlValue* choices = value->find("choices")) {
      size.choices = read_choices(context, *choices);
      size.minimum = *std::min_element(size.choices.begin(), size.choices.end());
    }
    value = &context.require(*value, "default", what);
  }
  size.default_value = context.expression(*value, "the default of " + what, context.scope);
  if (value->kind == Kind::integer && !is_allowed(size, value->integer)) {
    context.fail(value->place, "the default of " + what + " is " + std::to_string(value->integer) +
                                   "; expected " + allowed_text(size));
  }
}

/// Distinct values of one kind: integers, booleans, floats or words.
std::vector<std::int64_t> read_listed(const SpecContext& context, const TomlValue& list,
                                      const std::string& what) {
  context.expect(list, Kind::array, what);
  if (list.items.empty()) context.fail(list.place, what + " has no values; expected at least one");
  std::vector<std::int64_t> values;
  std::set<std::int64_t> seen;
  for (const TomlValue& item : list.items) {
    if (is_value_kind(list.items.front().kind)) {
      context.expect(item, list.items.front().kind, "a value of " + what);
    }
    const std::int64_t value = read_value(context, item, "a value of " + what);
    if (!seen.insert(value).second) {
      context.fail(item.place,
                   what + " has the value " + value_text(value) + " twice; expected it once");
    }
    values.push_back(value);
  }
  return values;
}

/// When the parameter exists: its condition holds, and all parameters in that condition exist.
Expression read_when(const SpecContext& context, const TomlValue& when, const std::string& what,
                     const std::vector<Parameter>& before) {
  const std::string its = "'when' of " + what;
  context.expect(when, Kind::string, its);
  const Expression own = context.expression(when, its, context.scope);
  TomlValue all = when;
  all.text = '(' + when.text + ')';
  for (const std::string& name : own.identifiers()) {
    const auto named = std::find_if(before.begin(), before.end(),
                                    [&](const Parameter& param) { return param.name == name; });
    if (named == before.end()) {
      context.fail(when.place,
                   its + " depends on '" + name + "'; expected only parameters before it");
    }
    if (named->when) all.text += " && " + named->when->text();
  }
  return context.expression(all, its, context.scope);
}

std::vector<std::string> words_among(const std::vector<std::int64_t>& values) {
  std::vector<std::string> words;
  for (const std::int64_t value : values) {
    if (auto word = word_of_value(value)) words.push_back(std::move(*word));
  }
  return words;
}

/// The value as a literal of an expression.
std::string literal_of(std::int64_t value) {
  const auto word = word_of_value(value);
  return word ? "'" + *word + "'" : std::to_string(value);
}

void read_param(const SpecContext& context, const TomlEntry& entry,
                const std::vector<Parameter>& before, Parameter& param) {
  const std::string what = "parameter '" + entry.key + "'";
  const TomlValue* list = &entry.value;
  if (list->kind == Kind::table) {
    context.expect_keys(*list, what, {"values", "help", "when"});
    param.help = context.optional_string(*list, "help");
    if (const TomlValue* when = list->find("when")) {
      param.when = read_when(context, *when, what, before);
    }
    list = &context.require(*list, "values", what);
  }
  if (is_value_kind(list->kind) && list->kind != Kind::string) {
    param.values = {read_value(context, *list, "the value of " + what)};
  } else if (list->kind == Kind::string) {
    if (list->text.find_first_of("0123456789") == std::string::npos) {
      context.fail(list->place, what + " is \"" + list->text +
                                    "\"; expected integers, as in \"32,64\" or \"32:256:*2\", or "
                                    "words in a list, as in [\"half\", \"float\"]");
    }
    param.values = context.at(list->place, [&] { return parse_value_list(what, list->text); });
  } else {
    param.values = read_listed(context, *list, what);
  }
  if (param.values.size() > 65535) {
    context.fail(list->place, what + " has too many values; expected 65535 at most");
  }
}

void expect_no_option(const SpecContext& context, const TomlEntry& size) {
  if (!is_reserved_option(size.key)) return;
  context.fail(size.place, "problem size '" + size.key + "' has the name of gtune's option --" +
                               size.key + "; expected another name");
}

}  // namespace

std::vector<ProblemSize> read_problem(SpecContext& context, const TomlValue& table) {
  std::vector<ProblemSize> sizes;
  if (table.entries.empty()) {
    context.fail(table.place, "[problem] is empty; expected at least one size, as in 'N = 1024'");
  }
  context.expect_few(table, "[problem]");
  context.declare_ahead(table);
  for (const TomlEntry& entry : table.entries) {
    ProblemSize& size = sizes.emplace_back();
    size.name = entry.key;
    context.attempt([&] {
      context.claim(entry.key, entry.place, "problem size");
      expect_no_option(context, entry);
      read_size(context, entry, size);
    });
    context.scope.add_slot(entry.key);
    ++context.size_slots;
  }
  return sizes;
}

std::vector<Parameter> read_params(SpecContext& context, const TomlValue& table) {
  std::vector<Parameter> params;
  if (table.entries.empty()) {
    context.fail(table.place, "[params] is empty; expected at least one, as in 'BM = [32, 64]'");
  }
  context.expect_few(table, "[params]");
  context.declare_ahead(table);
  for (const TomlEntry& entry : table.entries) {
    Parameter param;
    param.name = entry.key;
    context.attempt([&] {
      context.claim(entry.key, entry.place, "parameter");
      read_param(context, entry, params, param);
    });
    params.push_back(std::move(param));
    context.scope.add_slot(entry.key);
    context.scope.set_words(entry.key, words_among(params.back().values));
    ++context.param_slots;
  }
  return params;
}

std::vector<NamedExpression> existence_rules(const SpecContext& context, const TomlValue& table,
                                             const std::vector<Parameter>& params) {
  std::vector<NamedExpression> rules;
  for (std::size_t i = 0; i < params.size(); ++i) {
    const Parameter& param = params[i];
    if (!param.when || param.values.empty()) continue;
    TomlValue rule;
    rule.kind = Kind::string;
    rule.place = rule.text_place = table.entries[i].place;
    rule.text =
        param.when->text() + " || " + param.name + " == " + literal_of(param.values.front());
    const std::string what = "'when' of parameter '" + param.name + "'";
    rules.push_back({param.name + ".when", context.expression(rule, what, context.scope)});
  }
  return rules;
}

std::vector<NamedExpression> read_lets(SpecContext& context, const TomlValue& table) {
  context.expect_few(table, "[let]");
  std::vector<NamedExpression> lets;
  for (const TomlEntry& entry : table.entries) {
    lets.push_back({entry.key, {}});
    context.attempt([&] {
      context.claim(entry.key, entry.place, "let");
      lets.back().expression =
          context.expression(entry.value, "let '" + entry.key + "'", context.scope);
    });
    context.scope.add_expression(entry.key, lets.back().expression);
  }
  return lets;
}

namespace {

NamedExpression read_macro(const SpecContext& context, const TomlEntry& entry,
                           const KernelSpec& spec, const std::vector<std::string>& arguments) {
  const std::string what = "macro '" + entry.key + "'";
  context.expect_identifier(entry.key, entry.place, "macro");
  if (std::find(arguments.begin(), arguments.end(), entry.key) != arguments.end()) {
    context.fail(entry.place,
                 what + " has the name of a template argument of the entry; expected another");
  }
  for (const std::string& option : spec.options) {
    if (defined_macro(option) != entry.key) continue;
    context.fail(entry.place, what + " is defined by the option '" + option +
                                  "' as well; expected one definition");
  }
  return {entry.key, context.expression(entry.value, what, Depends::on_anything)};
}

}  // namespace

std::vector<NamedExpression> read_macros(const SpecContext& context, const TomlValue& table,
                                         const KernelSpec& spec) {
  context.expect(table, Kind::table, "'macros' of [kernel]");
  context.expect_few(table, "'macros' of [kernel]");
  const std::vector<std::string> arguments = template_arguments(spec.steps);
  std::vector<NamedExpression> macros;
  for (const TomlEntry& entry : table.entries) {
    context.attempt([&] { macros.push_back(read_macro(context, entry, spec, arguments)); });
  }
  return macros;
}

namespace {

/// A constraint sees the largest compiler facts of any launch. It cannot name shared memory that
/// depends on such facts, since that differs between launches.
void require_known_shared(const SpecContext& context, const TomlEntry& constraint,
                          const Expression& value, const Expression& shared,
                          const std::vector<StepSpec>& steps) {
  const auto& names = value.identifiers();
  if (launches_of(steps).size() == 1 || !context.names_compiled(shared) ||
      std::find(names.begin(), names.end(), "shared_bytes") == names.end()) {
    return;
  }
  context.fail(constraint.value.place,
               "constraint '" + constraint.key +
                   "' names 'shared_bytes' of several launches, which depends on what the compiler "
                   "reports for each; expected it only in a spec with one launch");
}

NamedExpression read_constraint(const SpecContext& context, const TomlEntry& entry,
                                const Scope& names) {
  const std::string what = "constraint '" + entry.key + "'";
  context.expect_identifier(entry.key, entry.place, "constraint");
  if (entry.key == launch_constraint) {
    context.fail(entry.place, "'launch' is reserved; expected another name for the constraint");
  }
  context.expect(entry.value, Kind::string, what);
  return {entry.key, context.compiled_expression(entry.value, what, names)};
}

}  // namespace

std::vector<NamedExpression> read_constraints(const SpecContext& context, const TomlValue& table,
                                              const std::vector<StepSpec>& steps) {
  context.expect_few(table, "[constraints]");
  Scope names = context.scope;
  const Expression shared = most_shared_bytes(context, steps);
  names.add_expression("shared_bytes", shared);
  names.add_expression("threads_per_block", most_threads_per_block(context, steps));
  std::vector<NamedExpression> constraints;
  for (const TomlEntry& entry : table.entries) {
    context.attempt([&] {
      constraints.push_back(read_constraint(context, entry, names));
      require_known_shared(context, entry, constraints.back().expression, shared, steps);
    });
  }
  return constraints;
}

}  // namespace gtune
