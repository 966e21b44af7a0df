#include "spec/step_reader.hpp"

#include <algorithm>
#include <functional>

#include "spec/launch_reader.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

bool is_passed(const ArgumentSpec& argument) {
  const auto* buffer = std::get_if<BufferSpec>(&argument);
  return buffer == nullptr || buffer->passed;
}

std::size_t find_argument(const SpecContext& context, const TomlValue& name,
                          const std::string& what, const std::vector<ArgumentSpec>& args) {
  context.expect(name, Kind::string, "an entry of 'args' of " + what);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (name_of(args[i]) == name.text) return i;
    names.push_back(name_of(args[i]));
  }
  const std::string suggestion = did_you_mean(name.text, names);
  context.fail(name.place, "'" + name.text + "' in 'args' of " + what + " is none of [[args]]" +
                               (suggestion.empty() ? "; expected the name of one" : suggestion));
}

/// "x", or { name = "x", offset = "n / 2" }.
PassedArgumentSpec read_passed(const SpecContext& context, const TomlValue& item,
                               const std::string& what, const std::vector<ArgumentSpec>& args) {
  if (item.kind != Kind::table) return {find_argument(context, item, what, args), {}};
  context.expect_keys(item, "an entry of 'args' of " + what, {"name", "offset"});
  const TomlValue& name = context.require(item, "name", "this entry of 'args' of " + what);
  PassedArgumentSpec passed{find_argument(context, name, what, args), {}};
  if (const TomlValue* offset = item.find("offset")) {
    if (!std::holds_alternative<BufferSpec>(args[passed.index])) {
      context.fail(offset->place, "'" + name.text + "' in 'args' of " + what +
                                      " has an 'offset' and is no buffer; expected none");
    }
    passed.offset =
        context.expression(*offset, "'offset' of '" + name.text + "'", Depends::on_anything);
  }
  return passed;
}

KernelLaunchSpec read_kernel_launch(const SpecContext& context, const TomlValue& table,
                                    const std::string& what,
                                    const std::vector<ArgumentSpec>& args) {
  KernelLaunchSpec launch;
  launch.entry = read_entry(context, *table.find("entry"), "'entry' of " + what);
  launch.launch = read_launch(context, table, what, Depends::on_anything);
  const TomlValue* own = table.find("args");
  launch.args =
      own == nullptr ? all_arguments(args) : read_passed_arguments(context, *own, what, args);
  return launch;
}

/// The steps in their order, and the names that they have.
class StepsReader {
 public:
  StepsReader(const SpecContext& context, const std::vector<ArgumentSpec>& args)
      : m_context(context), m_args(args) {}

  void add(const TomlValue& table) {
    m_context.expect(table, Kind::table, "an entry of 'steps'");
    m_context.expect_keys(table, "a step",
                          with_launch_keys({"name", "entry", "args", "when", "setup"}));
    const TomlValue& entry = m_context.require(table, "entry", "this step");
    m_context.expect(entry, Kind::string, "'entry' of a step");
    StepSpec step{name_of_step(table, entry.text), false, {}, {}};
    const std::string what = "step '" + step.name + "'";
    if (const TomlValue* setup = table.find("setup")) {
      step.setup = m_context.expect(*setup, Kind::boolean, "'setup' of " + what).boolean;
    }
    if (const TomlValue* when = table.find("when")) {
      step.when = m_context.expression(*when, "'when' of " + what, Depends::on_anything);
    }
    step.action = read_kernel_launch(m_context, table, what, m_args);
    m_steps.push_back(std::move(step));
  }

  [[nodiscard]] std::vector<StepSpec> take() { return std::move(m_steps); }

 private:
  [[nodiscard]] bool is_taken(const std::string& name) const {
    return std::any_of(m_steps.begin(), m_steps.end(),
                       [&](const StepSpec& step) { return step.name == name; });
  }

  /// That of the kernel where it has none, with a number where that is taken.
  [[nodiscard]] std::string name_of_step(const TomlValue& table, const std::string& entry) const {
    if (const TomlValue* name = table.find("name")) {
      m_context.expect(*name, Kind::string, "'name' of a step");
      m_context.expect_identifier(name->text, name->place, "step");
      if (is_taken(name->text)) {
        m_context.fail(name->place,
                       "step '" + name->text + "' is there twice; expected another name");
      }
      return name->text;
    }
    const std::string own = entry.substr(0, entry.find('<'));
    std::string free = own;
    for (int number = 2; is_taken(free); ++number) free = own + "_" + std::to_string(number);
    return free;
  }

  const SpecContext& m_context;
  const std::vector<ArgumentSpec>& m_args;
  std::vector<StepSpec> m_steps;
};

Expression largest(const SpecContext& context, const std::vector<StepSpec>& steps,
                   const std::function<Expression(const LaunchSpec&)>& value) {
  if (const KernelLaunchSpec* only = only_launch(steps)) return value(only->launch);
  std::string text;
  for (const StepSpec& step : steps) {
    const KernelLaunchSpec* launch = step.launch();
    if (launch == nullptr) continue;
    std::string own = "(" + value(launch->launch).text() + ")";
    if (step.when) own = "((" + step.when->text() + ") != 0 ? " + own + " : 0)";
    text = text.empty() ? own : "max(" + text + ", " + own + ")";
  }
  return Expression::parse(text, context.scope);
}

}  // namespace

std::vector<PassedArgumentSpec> all_arguments(const std::vector<ArgumentSpec>& args) {
  std::vector<PassedArgumentSpec> all;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (is_passed(args[i])) all.push_back({i, {}});
  }
  return all;
}

std::vector<PassedArgumentSpec> read_passed_arguments(const SpecContext& context,
                                                      const TomlValue& list,
                                                      const std::string& what,
                                                      const std::vector<ArgumentSpec>& args) {
  context.expect(list, Kind::array, "'args' of " + what);
  context.expect_few(list, "'args' of " + what);
  std::vector<PassedArgumentSpec> passed;
  for (const TomlValue& item : list.items) {
    passed.push_back(read_passed(context, item, what, args));
  }
  return passed;
}

std::vector<StepSpec> one_launch(std::string entry, LaunchSpec launch,
                                 std::vector<PassedArgumentSpec> args) {
  KernelLaunchSpec all{std::move(entry), std::move(launch), std::move(args)};
  return {StepSpec{"", false, {}, std::move(all)}};
}

std::vector<StepSpec> read_steps(const SpecContext& context, const TomlValue& list,
                                 const std::vector<ArgumentSpec>& args) {
  context.expect(list, Kind::array, "'steps'");
  context.expect_few(list, "'steps'");
  StepsReader reader(context, args);
  bool all_read = true;
  for (const TomlValue& table : list.items) {
    all_read &= context.attempt([&] { reader.add(table); });
  }
  std::vector<StepSpec> steps = reader.take();
  if (all_read && std::none_of(steps.begin(), steps.end(), [](const StepSpec& step) {
        return !step.setup && step.launch() != nullptr;
      })) {
    context.fail(list.place, "no step launches a kernel beside those of the setup; expected one");
  }
  return steps;
}

Expression unless_left_out(const SpecContext& context, const StepSpec& step,
                           const Expression& condition) {
  if (!step.when) return condition;
  return Expression::parse("(" + step.when->text() + ") == 0 || (" + condition.text() + ")",
                           context.scope);
}

std::vector<Expression> step_conditions(const SpecContext& context,
                                        const std::vector<StepSpec>& steps) {
  std::vector<Expression> conditions;
  std::string any_timed;
  for (const StepSpec& step : steps) {
    const KernelLaunchSpec* launch = step.launch();
    if (launch == nullptr) continue;
    for (const Expression& condition : launch_conditions(context, launch->launch)) {
      conditions.push_back(unless_left_out(context, step, condition));
    }
    if (step.setup) continue;
    any_timed += (any_timed.empty() ? "(" : " || (") + (step.when ? step.when->text() : "1") + ")";
  }
  const bool may_be_none = std::none_of(steps.begin(), steps.end(), [](const StepSpec& step) {
    return !step.setup && !step.when && step.launch() != nullptr;
  });
  if (may_be_none) conditions.push_back(Expression::parse(any_timed, context.scope));
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
