#include "spec/step_counters.hpp"

#include <algorithm>

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

const TomlValue* counter_of(const TomlValue& step) {
  const TomlValue* repeat = step.kind == Kind::table ? step.find("repeat") : nullptr;
  const bool is_table = repeat != nullptr && repeat->kind == Kind::table;
  return is_table ? repeat->find("counter") : nullptr;
}
std::vector<const Expression*> expressions_of(const BufferRangeSpec& range) {
  std::vector<const Expression*> all = {&range.offset};
  if (range.count) all.push_back(&*range.count);
  return all;
}

/// The expressions of a step that may name its counter.
std::vector<const Expression*> counted_expressions(const StepSpec& step) {
  std::vector<const Expression*> all = {&step.stream};
  const auto add = [&](const BufferRangeSpec& range) {
    for (const Expression* each : expressions_of(range)) all.push_back(each);
  };
  if (const auto* launch = step.launch()) {
    for (const Expression& dimension : launch->launch.grid) all.push_back(&dimension);
    for (const PassedArgumentSpec& passed : launch->args) {
      if (passed.offset) all.push_back(&*passed.offset);
    }
  } else if (const auto* copy = std::get_if<BufferCopySpec>(&step.action)) {
    add(copy->from);
    add(copy->to);
  } else {
    add(std::get<BufferSetSpec>(step.action).range);
  }
  return all;
}

/// The expressions of a step that are the same in all repeats.
std::vector<const Expression*> uncounted_expressions(const StepSpec& step) {
  std::vector<const Expression*> all;
  if (step.when) all.push_back(&*step.when);
  if (step.repeat) all.push_back(&step.repeat->count);
  const KernelLaunchSpec* launch = step.launch();
  if (launch == nullptr) return all;
  for (const auto* list : {&launch->launch.block, &launch->launch.cluster}) {
    for (const Expression& each : *list) all.push_back(&each);
  }
  all.push_back(&launch->launch.shared_bytes);
  if (launch->launch.carveout) all.push_back(&*launch->launch.carveout);
  return all;
}

}  // namespace

/// Steps that share a counter are consecutive, so the first of them declares its name.
StepCounters declare_counters(SpecContext& context, const TomlValue& list) {
  StepCounters counters(context.first_slot_after_compiled());
  std::string before;
  for (const TomlValue& step : list.items) {
    const TomlValue* counter = counter_of(step);
    const std::string name =
        counter == nullptr
            ? ""
            : context.expect(*counter, Kind::string, "'counter' of a step's 'repeat'").text;
    if (!name.empty() && name != before) {
      context.expect_identifier(name, counter->place, "counter");
      if (counters.has(name)) {
        context.fail(counter->place, "counter '" + name +
                                         "' is that of earlier steps with others between; expected "
                                         "another name, or these steps together");
      }
      if (context.scope.find(name) != nullptr) {
        context.fail(counter->place, "counter '" + name +
                                         "' has the name of something else of this spec, or of the "
                                         "device; expected another");
      }
      counters.add(name);
      context.scope.add_slot(name);
    }
    before = name;
  }
  return counters;
}
void require_own_counter(const SpecContext& context, const Place& place,
                         const StepCounters& counters, const StepSpec& step) {
  const auto require = [&](const std::vector<const Expression*>& expressions,
                           const std::string& own) {
    for (const Expression* each : expressions) {
      const std::string other = counters.other_in(*each, own);
      if (other.empty()) continue;
      context.fail(place, "step '" + step.name + "' names the counter '" + other + "' in '" +
                              each->text() +
                              "'; expected it only in grids, offsets, counts and "
                              "streams of steps that it repeats");
    }
  };
  require(uncounted_expressions(step), "");
  require(counted_expressions(step), step.repeat ? step.repeat->counter : "");
}

}  // namespace gtune
