#include "spec/check_readers.hpp"

#include <algorithm>

#include "spec/fixed_params_reader.hpp"
#include "spec/launch_reader.hpp"
#include "spec/output_check_reader.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/reference_reader.hpp"
#include "spec/step_action_reader.hpp"
#include "spec/step_reader.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

template <typename T>
std::vector<std::string> names_of(const std::vector<T>& items) {
  std::vector<std::string> names;
  for (const T& item : items) names.push_back(item.name);
  return names;
}

/// Reads a size of an awkward problem: an expression over earlier sizes, parameters and the device.
Expression read_awkward_size(const SpecContext& context, const TomlEntry& entry,
                             const ProblemSize& size, std::size_t slot) {
  const std::string what = "'" + entry.key + "' of an awkward problem";
  Expression value = context.expression(entry.value, what, Depends::on_anything);
  for (const std::size_t used : value.slots()) {
    if (!context.is_size(used) || used < slot) continue;
    context.fail(entry.value.place, what + " depends on '" + context.scope.slot_name(used) +
                                        "'; expected only sizes before it, parameters and "
                                        "device facts");
  }
  if (entry.value.kind == Kind::integer && !is_allowed(size, entry.value.integer)) {
    context.fail(entry.value.place, what + " is " + std::to_string(entry.value.integer) +
                                        "; expected " + allowed_text(size));
  }
  return value;
}

AwkwardProblem read_awkward(const SpecContext& context, const TomlValue& table,
                            const KernelSpec& spec) {
  context.expect(table, Kind::table, "an entry of 'also'");
  AwkwardProblem problem;
  for (const TomlEntry& entry : table.entries) {
    const ProblemSize* size = spec.find_size(entry.key);
    if (size == nullptr) {
      context.fail(entry.place, "'" + entry.key + "' is not a problem size" +
                                    did_you_mean(entry.key, names_of(spec.sizes)));
    }
    const auto slot = static_cast<std::size_t>(size - spec.sizes.data());
    problem.push_back({entry.key, read_awkward_size(context, entry, *size, slot)});
  }
  return problem;
}

Baseline read_baseline(const SpecContext& context, const TomlValue& table, const KernelSpec& spec) {
  context.expect(table, Kind::table, "an entry of 'baselines'");
  context.expect_keys(table, "a baseline",
                      with_launch_keys({"name", "entry", "args", "params", "help"}));
  const TomlValue& name = context.require(table, "name", "this baseline");
  Baseline baseline{context.expect(name, Kind::string, "'name' of a baseline").text,
                    spec.steps,
                    {},
                    context.optional_string(table, "help")};
  if (baseline.name.empty()) context.fail(name.place, "the baseline's name is empty; expected one");
  const std::string what = "baseline '" + baseline.name + "'";
  if (const TomlValue* params = table.find("params")) {
    baseline.params = read_fixed_params(context, *params, "'params' of a baseline", spec);
  }
  const TomlValue* entry = table.find("entry");
  const std::vector<std::string_view> keys = with_launch_keys({});
  const bool own_launch = std::any_of(
      keys.begin(), keys.end(), [&](std::string_view key) { return table.find(key) != nullptr; });
  if (entry == nullptr && baseline.params.empty()) {
    context.fail(table.place,
                 what +
                     " has neither 'entry' nor 'params'; expected another entry of the source, "
                     "or a configuration of the tuned kernel");
  }
  const TomlValue* args = table.find("args");
  if (entry == nullptr && args != nullptr) {
    context.fail(args->place, what + " has 'args' and no 'entry'; expected both or neither");
  }
  baseline.is_tuned_kernel = entry == nullptr && !own_launch;
  if (baseline.is_tuned_kernel) return baseline;
  const KernelLaunchSpec* tuned = only_launch(spec.steps);
  if (tuned == nullptr && (entry == nullptr || !own_launch)) {
    context.fail(table.place, what + " has " + (entry == nullptr ? "a launch" : "an 'entry'") +
                                  " alone, but the tuned kernel has steps; expected 'entry' with "
                                  "its own grid and block, or 'params'");
  }
  baseline.steps = one_launch(
      entry == nullptr ? tuned->entry : read_entry(context, *entry, "'entry' of " + what),
      own_launch ? read_launch(context, table, what, Depends::on_anything) : tuned->launch,
      args == nullptr ? all_arguments(spec.args)
                      : read_passed_arguments(context, *args, what, spec.args));
  return baseline;
}

}  // namespace

WorkSpec read_work(const SpecContext& context, const TomlValue& table) {
  context.expect_keys(table, "[work]", {"flops", "bytes", "padded", "traffic"});
  WorkSpec work;
  const auto read = [&](const char* key, Depends depends,
                        ExpressionKind kind) -> std::optional<Expression> {
    const TomlValue* value = table.find(key);
    if (value == nullptr) return std::nullopt;
    return context.expression(*value, std::string("'") + key + "' of [work]", depends, kind);
  };
  work.flops = read("flops", Depends::on_sizes, ExpressionKind::real);
  work.bytes = read("bytes", Depends::on_sizes, ExpressionKind::real);
  work.padded = read("padded", Depends::on_anything, ExpressionKind::integer);
  work.traffic = read("traffic", Depends::on_anything, ExpressionKind::integer);
  return work;
}

CheckSpec read_check(const SpecContext& context, const TomlValue& table, const KernelSpec& spec,
                     std::span<const std::filesystem::path> source_folders) {
  context.expect_keys(table, "[check]", {"reference", "rtol", "atol", "outputs", "also"});
  CheckSpec check;
  context.attempt([&] {
    const TomlValue& reference = context.require(table, "reference", "[check]");
    if (reference.kind == Kind::table && reference.find("files") != nullptr) {
      check.results = read_result_files(context, reference, spec);
    } else {
      check.reference = read_reference(context, reference, spec, source_folders);
    }
  });
  context.attempt([&] {
    check.outputs = read_output_checks(context, table, spec, check.has_results(), source_folders);
  });
  if (const TomlValue* also = table.find("also")) {
    context.expect(*also, Kind::array, "'also' of [check]");
    context.expect_few(*also, "'also' of [check]");
    if (!check.results.empty()) {
      context.fail(also->place,
                   "'also' of [check] needs results of other sizes, which files do not have; "
                   "expected a reference that computes them");
    }
    for (const TomlValue& item : also->items) {
      context.attempt([&] { check.also.push_back(read_awkward(context, item, spec)); });
    }
  }
  return check;
}

std::vector<Baseline> read_baselines(const SpecContext& context, const TomlValue& list,
                                     const KernelSpec& spec) {
  context.expect(list, Kind::array, "'baselines'");
  context.expect_few(list, "'baselines'");
  std::vector<Baseline> baselines;
  for (const TomlValue& table : list.items) {
    context.attempt([&] {
      Baseline baseline = read_baseline(context, table, spec);
      const auto same = [&](const Baseline& other) { return other.name == baseline.name; };
      if (std::any_of(baselines.begin(), baselines.end(), same)) {
        context.fail(table.place,
                     "baseline '" + baseline.name + "' appears twice; expected another name");
      }
      baselines.push_back(std::move(baseline));
    });
  }
  return baselines;
}

}  // namespace gtune
