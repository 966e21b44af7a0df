#include "spec/step_conditions.hpp"

#include <algorithm>
#include <functional>

#include "spec/launch_reader.hpp"

namespace gtune {
namespace {

/// The maximum of the values; 0 if there are none. Pairs of pairs: a chain would nest as deeply as
/// there are values.
std::string largest_of(std::vector<std::string> values) {
  while (values.size() > 1) {
    std::vector<std::string> larger;
    for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
      larger.push_back("max(" + values[i] + ", " + values[i + 1] + ")");
    }
    if (values.size() % 2 == 1) larger.push_back(std::move(values.back()));
    values = std::move(larger);
  }
  return values.empty() ? "0" : values.front();
}

Expression largest(const SpecContext& context, const std::vector<StepSpec>& steps,
                   const std::function<Expression(const LaunchSpec&)>& value) {
  if (const KernelLaunchSpec* only = only_launch(steps)) return value(only->launch);
  std::vector<std::string> values;
  for (const StepSpec& step : steps) {
    const KernelLaunchSpec* launch = step.launch();
    if (launch == nullptr) continue;
    std::string own = "(" + value(launch->launch).text() + ")";
    if (step.when) own = "((" + step.when->text() + ") != 0 ? " + own + " : 0)";
    values.push_back(std::move(own));
  }
  return context.composed(largest_of(std::move(values)));
}

/// Adds the conditions that a range lies within its buffer.
void add_range_conditions(const SpecContext& context, const StepSpec& step,
                          const BufferRangeSpec& range, const std::vector<ArgumentSpec>& args,
                          std::vector<Expression>& conditions) {
  const std::string all = "(" + std::get<BufferSpec>(args[range.index]).count.text() + ")";
  const std::string offset = "(" + range.offset.text() + ")";
  const std::string count = range.count ? "(" + range.count->text() + ")" : all;
  const auto add = [&](const std::string& text) {
    conditions.push_back(unless_left_out(context, step, context.composed(text)));
  };
  add(offset + " >= 0");
  add(count + " >= 0");
  add(offset + " + " + count + " <= " + all);
}

void add_conditions(const SpecContext& context, const StepSpec& step,
                    const std::vector<ArgumentSpec>& args, std::vector<Expression>& conditions) {
  if (!step.stream.slots().empty()) {
    const std::string stream = "(" + step.stream.text() + ")";
    for (const std::string& limit : {std::string(" >= 0"), " < " + std::to_string(most_streams)}) {
      conditions.push_back(unless_left_out(context, step, context.composed(stream + limit)));
    }
  }
  if (const auto* launch = step.launch()) {
    for (const Expression& condition : launch_conditions(context, launch->launch)) {
      conditions.push_back(unless_left_out(context, step, condition));
    }
  } else if (const auto* copy = std::get_if<BufferCopySpec>(&step.action)) {
    add_range_conditions(context, step, copy->from, args, conditions);
    BufferRangeSpec to = copy->to;  // has as many elements as `from`
    if (!to.count) to.count = std::get<BufferSpec>(args[copy->from.index]).count;
    add_range_conditions(context, step, to, args, conditions);
  } else {
    add_range_conditions(context, step, std::get<BufferSetSpec>(step.action).range, args,
                         conditions);
  }
}

}  // namespace

Expression unless_left_out(const SpecContext& context, const StepSpec& step,
                           const Expression& condition) {
  if (!step.when) return condition;
  return context.composed("(" + step.when->text() + ") == 0 || (" + condition.text() + ")");
}

std::vector<Expression> step_conditions(const SpecContext& context,
                                        const std::vector<StepSpec>& steps,
                                        const std::vector<Place>& places,
                                        const std::vector<ArgumentSpec>& args) {
  std::vector<Expression> conditions;
  std::string any_timed;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepSpec& step = steps[i];
    context.compose_at(places[i]);
    add_conditions(context, step, args, conditions);
    if (step.setup) continue;
    any_timed += (any_timed.empty() ? "(" : " || (") + (step.when ? step.when->text() : "1") + ")";
  }
  std::erase_if(conditions, [&](const Expression& condition) {  // checked when steps are planned
    const std::vector<std::size_t> slots = condition.slots();
    return !slots.empty() && slots.back() >= context.first_compiled_slot();
  });
  const bool may_be_none = std::none_of(
      steps.begin(), steps.end(), [](const StepSpec& step) { return !step.setup && !step.when; });
  if (!places.empty()) context.compose_at(places.front());
  if (may_be_none) conditions.push_back(context.composed(any_timed));
  return conditions;
}

Expression most_shared_bytes(const SpecContext& context, const std::vector<StepSpec>& steps) {
  return largest(context, steps, [](const LaunchSpec& launch) { return launch.shared_bytes; });
}

Expression most_threads_per_block(const SpecContext& context, const std::vector<StepSpec>& steps) {
  return largest(context, steps,
                 [&](const LaunchSpec& launch) { return threads_per_block(context, launch); });
}

}  // namespace gtune
