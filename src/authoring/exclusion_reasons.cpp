#include "authoring/exclusion_reasons.hpp"

#include <algorithm>
#include <numeric>

#include "jit/occupancy.hpp"
#include "spec/device_slots.hpp"
#include "spec/evaluate.hpp"

namespace gtune {
namespace {

constexpr std::uint64_t most_combinations = 20'000;

/// Combinations of a spec's values, in an order that soon covers many values of each parameter.
class Combinations {
 public:
  Combinations(const KernelSpec& spec, std::uint64_t count) : m_spec(spec), m_count(count) {
    m_step =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(count) * 0.618));
    while (std::gcd(m_step, count) != 1) ++m_step;
  }

  [[nodiscard]] std::uint64_t size() const { return std::min(m_count, most_combinations); }

  [[nodiscard]] Config operator[](std::uint64_t index) const {
    __extension__ using Wide = unsigned __int128;
    auto rank = static_cast<std::uint64_t>(Wide{index} * m_step % m_count);
    Config config;
    for (const Parameter& param : m_spec.params) {
      config.set(param.name, param.values[rank % param.values.size()]);
      rank /= param.values.size();
    }
    return config;
  }

 private:
  const KernelSpec& m_spec;
  std::uint64_t m_count;
  std::uint64_t m_step = 1;
};

class Finder {
 public:
  Finder(const KernelSpec& spec, const Problem& problem, const DeviceFacts& device)
      : m_spec(spec), m_problem(problem), m_device(device) {}

  /// Absent if the constraint admits the configuration.
  [[nodiscard]] std::optional<ExclusionReason> of_constraint(const NamedExpression& constraint,
                                                             const Config& config) const {
    const Case of{m_problem, config, m_device};
    const std::vector<std::int64_t> slots = slot_values(m_spec, of);
    if (!is_violated(constraint.expression, slots)) return std::nullopt;
    const Checked value = constraint.expression.try_evaluate(slots);
    ExclusionReason reason = about(constraint.expression);
    reason.constraint = constraint.name;
    reason.why = "'" + constraint.expression.text() + "' ";
    reason.why += value.failure == Failure::none
                      ? std::string("does not hold")
                      : "has no value: " + std::string(to_string(value.failure));
    reason.values = values_in(constraint.expression, of);
    reason.keys = {"constraints", constraint.name};
    return reason;
  }

  /// Absent if the configuration can be launched.
  [[nodiscard]] std::optional<ExclusionReason> of_launch(const Config& config) const {
    const Case of{m_problem, config, m_device};
    const std::vector<std::int64_t> slots = slot_values(m_spec, of);
    for (const Expression& condition : m_spec.launch_conditions) {
      if (!is_violated(condition, slots)) continue;
      ExclusionReason reason = about(condition);
      reason.constraint = launch_constraint;
      const auto why = why_no_launch(m_spec, of);
      reason.why = why ? why->reason : "'" + condition.text() + "' does not hold";
      reason.keys = why && !why->keys.empty() ? why->keys : std::vector<std::string>{"launch"};
      Config named;
      for (const std::string& name : reason.parameters) named.set(name, *config.find(name));
      reason.values = named.text();
      return reason;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] ExclusionReason about(const Expression& condition) const {
    ExclusionReason reason;
    for (const std::size_t slot : condition.slots()) {
      const std::size_t param = slot - m_spec.sizes.size();  // wraps for a size
      if (param < m_spec.params.size()) reason.parameters.push_back(m_spec.params[param].name);
    }
    return reason;
  }

  /// The value of each name in the expression, lets included: "n=4098,BLOCK=64,half=32".
  [[nodiscard]] std::string values_in(const Expression& condition, const Case& of) const {
    const std::vector<std::int64_t> slots = slot_values(m_spec, of);
    NamedValues values;
    for (const std::string& name : condition.identifiers()) {
      if (const auto size = of.problem.find(name)) {
        values.set(name, *size);
      } else if (const auto param = of.config.find(name)) {
        values.set(name, *param);
      } else if (const NamedExpression* let = m_spec.find_let(name)) {
        const Checked value = let->expression.try_evaluate(slots);
        if (value.failure == Failure::none) values.set(name, value.value);
      } else if (const auto fact = device_fact(name)) {
        values.set(name, *fact);
      } else if (const auto of_launch = launch_fact(name, of)) {
        values.set(name, *of_launch);
      }
    }
    return values.text();
  }

  [[nodiscard]] std::optional<std::int64_t> device_fact(const std::string& name) const {
    const auto* at = std::find(device_slot_names.begin(), device_slot_names.end(), name);
    if (at == device_slot_names.end()) return std::nullopt;
    return device_slot_values(m_device)[static_cast<std::size_t>(at - device_slot_names.begin())];
  }

  /// The value of `shared_bytes` or `threads_per_block`.
  [[nodiscard]] std::optional<std::int64_t> launch_fact(const std::string& name,
                                                        const Case& of) const {
    std::optional<std::int64_t> most;
    try {
      for (const StepPlan& step : plan_steps(m_spec, of)) {
        const auto* launch = std::get_if<KernelLaunch>(&step.action);
        if (launch == nullptr) continue;
        const LaunchPlan& plan = launch->launch;
        const bool shared = name == "shared_bytes";
        const std::int64_t own = shared ? plan.shared_bytes : plan.threads_per_block();
        most = std::max(own, most.value_or(own));
      }
    } catch (const CaseError&) {
      return std::nullopt;
    }
    return most;
  }

  const KernelSpec& m_spec;
  const Problem& m_problem;
  const DeviceFacts& m_device;
};

}  // namespace

std::optional<WhyNot> why_no_launch(const KernelSpec& spec, const Case& of) {
  try {
    (void)plan_arguments(spec, of);
    for (const StepPlan& step : plan_steps(spec, of)) {
      const auto* launch = std::get_if<KernelLaunch>(&step.action);
      if (launch == nullptr) continue;
      if (auto why = why_it_cannot_launch({}, launch->launch, of.device)) {
        if (step.name.empty()) return WhyNot{*why, {"launch"}};
        return WhyNot{"step '" + step.name + "': " + *why, {"steps", step.name}};
      }
    }
    return std::nullopt;
  } catch (const CaseError& error) {
    return WhyNot{error.reason(), error.keys()};
  }
}

std::vector<ExclusionReason> exclusion_reasons(const KernelSpec& spec, const Problem& problem,
                                               const DeviceFacts& device,
                                               const Enumeration& space) {
  const Combinations combinations(spec, space.combinations);
  const Finder finder(spec, problem, device);
  std::vector<ExclusionReason> reasons;
  for (std::size_t c = 0; c < space.excluded.size(); ++c) {
    if (space.excluded[c].combinations == 0) continue;
    std::optional<ExclusionReason> found;
    for (std::uint64_t i = 0; i < combinations.size() && !found; ++i) {
      const Config config = combinations[i];
      found = c < spec.constraints.size() ? finder.of_constraint(spec.constraints[c], config)
                                          : finder.of_launch(config);
    }
    if (found) reasons.push_back(std::move(*found));
  }
  return reasons;
}

}  // namespace gtune
