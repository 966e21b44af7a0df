#include "spec/step_reader.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "spec/launch_reader.hpp"
#include "spec/step_action_reader.hpp"
#include "spec/step_counters.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

/// The step's stream, if it is the same for all configurations.
std::optional<std::int64_t> constant_stream(const StepSpec& step) {
  if (!step.stream.slots().empty()) return std::nullopt;
  const Checked number = step.stream.try_evaluate({});
  if (number.failure != Failure::none) return std::nullopt;
  return number.value;
}

/// Checks that streams have no gaps, unless some depend on the configuration. `list`: the tables of
/// the steps.
void require_known_streams(const SpecContext& context, const TomlValue& list,
                           const std::vector<StepSpec>& steps) {
  std::vector<std::int64_t> own;  // of each step
  std::set<std::int64_t> used;
  for (const StepSpec& step : steps) {
    const auto number = constant_stream(step);
    if (!number) return;
    own.push_back(*number);
    if (!step.setup) used.insert(*number);
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (std::int64_t stream = 0; stream < own[i]; ++stream) {
      if (used.contains(stream)) continue;
      context.fail(list.items[i].find("stream")->place,
                   "step '" + steps[i].name + "' is on stream " + std::to_string(own[i]) +
                       ", and stream " + std::to_string(stream) +
                       " has no work; expected the streams 0, 1, 2 and so on");
    }
  }
}

/// Whether the two steps run in turns, so that each may wait for the other's latest run.
bool take_turns(const StepSpec& a, const StepSpec& b) {
  return a.repeat && b.repeat && !a.repeat->counter.empty() &&
         a.repeat->counter == b.repeat->counter;
}

/// Checks that steps wait only for steps that have run by then. `list`: the tables of the steps.
void require_known_order(const SpecContext& context, const TomlValue& list,
                         const std::vector<StepSpec>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (std::size_t j = 0; j < steps[i].after.size(); ++j) {
      const std::string& name = steps[i].after[j];
      const Place& place = list.items[i].find("after")->items[j].place;
      const std::string what = "step '" + steps[i].name + "' is after '" + name + "', ";
      const auto other = std::find_if(steps.begin(), steps.end(),
                                      [&](const StepSpec& each) { return each.name == name; });
      if (other == steps.end() || other->setup || other->name == steps[i].name) {
        std::vector<std::string> names;
        for (const StepSpec& each : steps) names.push_back(each.name);
        context.fail(place, what + "which is not another timed step" + did_you_mean(name, names));
      }
      const bool is_later = other - steps.begin() > static_cast<std::ptrdiff_t>(i);
      if (is_later && !take_turns(steps[i], *other)) {
        context.fail(place, what +
                                "which runs later; expected an earlier step, or both with the "
                                "same counter of 'repeat'");
      }
    }
  }
}

/// Reads the steps in their order.
class StepsReader {
 public:
  StepsReader(const SpecContext& context, const std::vector<ArgumentSpec>& args,
              const StepCounters& counters)
      : m_context(context), m_args(args), m_counters(counters) {}

  void add(const TomlValue& table) {
    m_context.expect(table, Kind::table, "an entry of 'steps'");
    m_context.expect_keys(table, "a step",
                          with_launch_keys({"name", "entry", "copy", "fill", "args", "when",
                                            "setup", "stream", "after", "repeat"}));
    const TomlValue& action = action_of(table);
    StepSpec step{name_of_step(table, action)};
    const std::string what = "step '" + step.name + "'";
    if (const TomlValue* setup = table.find("setup")) {
      step.setup = m_context.expect(*setup, Kind::boolean, "'setup' of " + what).boolean;
    }
    if (const TomlValue* when = table.find("when")) {
      step.when = m_context.expression(*when, "'when' of " + what, Depends::on_anything);
    }
    read_order(table, what, step);
    if (&action == table.find("entry")) {
      step.action = read_kernel_launch(m_context, table, what, m_args);
    } else {
      refuse_launch_keys(table, what);
      if (&action == table.find("copy")) {
        step.action = read_copy(m_context, action, what, m_args);
      } else {
        step.action = read_set(m_context, action, what, m_args);
      }
    }
    require_own_counter(m_context, table.place, m_counters, step);
    m_steps.push_back(std::move(step));
  }

  [[nodiscard]] std::vector<StepSpec> take() { return std::move(m_steps); }

 private:
  /// Reads a step's stream, the steps that it waits for, and its repeats.
  void read_order(const TomlValue& table, const std::string& what, StepSpec& step) const {
    for (const char* key : {"stream", "after", "repeat"}) {
      const TomlValue* value = table.find(key);
      if (value == nullptr || !step.setup) continue;
      m_context.fail(value->place, what + " is a setup and has '" + key + "'; expected none");
    }
    if (const TomlValue* stream = table.find("stream")) {
      step.stream = m_context.expression(*stream, "'stream' of " + what, Depends::on_anything);
      const auto number = constant_stream(step);
      const bool is_possible = number && *number >= 0 && *number < most_streams;
      if (step.stream.slots().empty() && !is_possible) {
        m_context.fail(stream->place, "'stream' of " + what +
                                          (number ? " is " + std::to_string(*number)
                                                  : std::string(" has no value")) +
                                          "; expected 0 to " + std::to_string(most_streams - 1));
      }
    }
    if (const TomlValue* after = table.find("after")) {
      m_context.expect(*after, Kind::array, "'after' of " + what);
      for (const TomlValue& item : after->items) {
        step.after.push_back(
            m_context.expect(item, Kind::string, "an entry of 'after' of " + what).text);
      }
    }
    if (const TomlValue* repeat = table.find("repeat")) {
      step.repeat = read_repeat(*repeat, what);
    }
  }

  /// Reads "n / CHUNK" or { count = "n / CHUNK", counter = "chunk" }
  [[nodiscard]] RepeatSpec read_repeat(const TomlValue& value, const std::string& what) const {
    const std::string whose = "'repeat' of " + what;
    if (value.kind != Kind::table) {
      return {m_context.expression(value, whose, Depends::on_anything)};
    }
    m_context.expect_keys(value, whose, {"count", "counter"});
    RepeatSpec repeat{m_context.expression(m_context.require(value, "count", whose), whose,
                                           Depends::on_anything)};
    const TomlValue* counter = value.find("counter");
    if (counter == nullptr) return repeat;
    repeat.counter = counter->text;
    repeat.slot = m_counters.slot_of(repeat.counter);
    const auto same = [&](const StepSpec& step) {
      return step.repeat && step.repeat->counter == repeat.counter &&
             step.repeat->count.text() != repeat.count.text();
    };
    if (std::any_of(m_steps.begin(), m_steps.end(), same)) {
      m_context.fail(value.place, whose +
                                      " has another count than the steps before it with the "
                                      "counter '" +
                                      repeat.counter + "'; expected the same");
    }
    return repeat;
  }

  /// The key with the step's action, of which there must be exactly one.
  [[nodiscard]] const TomlValue& action_of(const TomlValue& table) const {
    const TomlValue* found = nullptr;
    for (const char* key : {"entry", "copy", "fill"}) {
      const TomlValue* value = table.find(key);
      if (value != nullptr && found != nullptr) {
        m_context.fail(value->place, std::string("this step has '") + key +
                                         "' and does something else; expected one of entry, copy "
                                         "and fill");
      }
      if (value != nullptr) found = value;
    }
    if (found == nullptr) {
      m_context.fail(table.place, "this step does nothing; expected one of entry, copy and fill");
    }
    return *found;
  }

  void refuse_launch_keys(const TomlValue& table, const std::string& what) const {
    for (const std::string_view key : with_launch_keys({"args"})) {
      if (const TomlValue* value = table.find(key)) {
        m_context.fail(value->place, what + " has '" + std::string(key) +
                                         "' and launches nothing; expected it beside 'entry'");
      }
    }
  }

  [[nodiscard]] bool is_taken(const std::string& name) const {
    return std::any_of(m_steps.begin(), m_steps.end(),
                       [&](const StepSpec& step) { return step.name == name; });
  }

  /// A step without a name gets that of its action, with a number if the name is taken.
  [[nodiscard]] std::string name_of_step(const TomlValue& table, const TomlValue& action) const {
    if (const TomlValue* name = table.find("name")) {
      m_context.expect(*name, Kind::string, "'name' of a step");
      m_context.expect_identifier(name->text, name->place, "step");
      if (is_taken(name->text)) {
        m_context.fail(name->place,
                       "step '" + name->text + "' appears twice; expected another name");
      }
      return name->text;
    }
    std::string own = table.find("copy") != nullptr ? "copy" : "fill";
    if (&action == table.find("entry")) {
      const std::string& entry = m_context.expect(action, Kind::string, "'entry' of a step").text;
      own = entry.substr(0, entry.find('<'));
    }
    std::string free = own;
    for (int number = 2; is_taken(free); ++number) free = own + "_" + std::to_string(number);
    return free;
  }

  const SpecContext& m_context;
  const std::vector<ArgumentSpec>& m_args;
  const StepCounters& m_counters;
  std::vector<StepSpec> m_steps;
};

}  // namespace

std::vector<StepSpec> one_launch(std::string entry, LaunchSpec launch,
                                 std::vector<PassedArgumentSpec> args) {
  KernelLaunchSpec all{std::move(entry), std::move(launch), std::move(args)};
  StepSpec step;
  step.action = std::move(all);
  return {std::move(step)};
}
std::vector<StepSpec> read_steps(SpecContext& context, const TomlValue& list,
                                 const std::vector<ArgumentSpec>& args) {
  context.expect(list, Kind::array, "'steps'");
  context.expect_few(list, "'steps'");
  const StepCounters counters = declare_counters(context, list);
  StepsReader reader(context, args, counters);
  const std::size_t failures = context.failures();
  for (const TomlValue& table : list.items) {
    context.attempt([&] { reader.add(table); });
  }
  std::vector<StepSpec> steps = reader.take();
  const bool all_read = context.failures() == failures;
  if (all_read &&
      std::none_of(steps.begin(), steps.end(), [](const StepSpec& step) { return !step.setup; })) {
    context.fail(list.place, "all steps are setups; expected one that is timed");
  }
  if (all_read) {
    require_known_streams(context, list, steps);
    require_known_order(context, list, steps);
  }
  return steps;
}

}  // namespace gtune
