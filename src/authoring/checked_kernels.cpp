#include "authoring/checked_kernels.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "model/error.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

class Collector {
 public:
  Collector(const KernelSpec& spec, const SpecPlaces& places, const DeviceFacts& device)
      : m_spec(spec), m_places(places), m_device(device), m_sources(spec) {}

  void add(const SampledProblem& sampled) {
    if (sampled.configs.empty()) return;
    const Config& first = sampled.configs.front();
    if (m_spec.check.reference) add_reference({sampled.problem, first, m_device});
    for (const OutputCheckSpec& output : m_spec.check.outputs) {
      if (output.compare) add_compare(output, {sampled.problem, first, m_device});
    }
    for (std::size_t i = 0; i < m_spec.baselines.size(); ++i) {
      add_baseline(i, {sampled.problem, first, m_device});
    }
    for (const Config& config : sampled.configs) add_config({sampled.problem, config, m_device});
  }

  [[nodiscard]] KernelsToCheck take() { return std::move(m_all); }

 private:
  /// `make` may throw the UserError of an expression without a value.
  template <typename Make>
  void try_to_add(const std::string& place, const Case& of, Make make) {
    try {
      CheckedKernel kernel = make();
      kernel.place = place;
      kernel.request.compile.in_detail = true;
      std::string key = kernel.what;
      for (const std::string& entry : kernel.request.compile.entries) key += '\n' + entry;
      for (const std::string& option : kernel.request.compile.options) key += '\n' + option;
      if (m_seen.insert(key).second) m_all.kernels.push_back(std::move(kernel));
    } catch (const CaseError& error) {
      const bool is_reference = place == m_places.reference();
      const std::string own =
          is_reference ? m_places.reference_part(error.keys()) : m_places.at(error.keys());
      if (!m_seen.insert(own + error.reason()).second) return;
      m_all.refused.push_back({error.keys().empty() ? place : own, error.reason(),
                               case_text(m_spec, of.problem, of.config)});
    } catch (const UserError& error) {
      if (m_seen.insert(error.what()).second) m_all.refused.push_back({place, error.what()});
    }
  }

  static std::vector<CheckedLaunch> launches_of(const std::vector<StepPlan>& steps,
                                                const std::string& place) {
    std::vector<CheckedLaunch> launches;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto* launch = std::get_if<KernelLaunch>(&steps[i].action);
      if (launch == nullptr) continue;
      CheckedLaunch checked{launch->kernel, launch->kernel, place, {}, i};
      for (const PassedArgument& passed : launch->arguments) {
        checked.arguments.push_back(passed.index);
      }
      launches.push_back(std::move(checked));
    }
    return launches;
  }

  /// The tuned kernel's launches, with the names and places that the spec has.
  [[nodiscard]] std::vector<CheckedLaunch> tuned_launches(
      const std::vector<StepPlan>& plans) const {
    std::vector<CheckedLaunch> launches;
    std::set<std::string> known;  // a repeated step counts once
    for (CheckedLaunch& launch : launches_of(plans, "")) {
      const std::string& name = plans[launch.step].name;
      if (!known.insert(name).second) continue;
      const auto step = std::find_if(m_spec.steps.begin(), m_spec.steps.end(),
                                     [&](const StepSpec& each) { return each.name == name; });
      launch.place = m_places.entry(static_cast<std::size_t>(step - m_spec.steps.begin()));
      launch.named = step->launch()->entry;
      launches.push_back(std::move(launch));
    }
    return launches;
  }

  /// A function on the host gets a launch too, so that the report has a row for it.
  void plan_reference(const Case& of, CheckedKernel& kernel) const {
    const std::string& entry = m_spec.check.reference->host_entry;
    if (!entry.empty()) {
      CheckedLaunch call{entry, entry, m_places.reference(), {}, 0};
      for (std::size_t i = 0; i < kernel.arguments.size(); ++i) call.arguments.push_back(i);
      kernel.launches = {std::move(call)};
      return;
    }
    kernel.steps =
        later(of, [](const KernelSpec& spec, const Case& there, const CompiledFacts& facts) {
          return plan_reference_steps(spec, there, facts);
        });
    kernel.launches = launches_of(kernel.steps({}), m_places.at({"check", "reference", "entry"}));
  }

  /// Copies the case's parts: a Case only refers to them, and the steps are planned after its
  /// lifetime.
  template <typename Plan>
  [[nodiscard]] std::function<std::vector<StepPlan>(const CompiledFacts&)> later(const Case& of,
                                                                                 Plan plan) const {
    return [&spec = m_spec, &device = m_device, problem = of.problem, config = of.config,
            plan](const CompiledFacts& facts) {
      return plan(spec, Case{problem, config, device}, facts);
    };
  }

  void add_reference(const Case& any) {
    const Config config = reference_config(m_spec, any.config);
    const Case of{any.problem, config, any.device};
    try_to_add(m_places.reference(), of, [&] {
      if (const auto violated = find_reference_violation(m_spec, of)) {
        throw UserError(ExitCode::usage, "the reference's configuration " + config.text() +
                                             " is not valid: it violates " + *violated);
      }
      (void)plan_reference_arguments(m_spec, of);
      (void)plan_output_checks(m_spec, of.problem, of.device);
      const ReferenceSpec& reference = *m_spec.check.reference;
      CheckedKernel kernel{"reference",
                           problem_text(m_spec, of.problem),
                           "",
                           reference.on_host() ? host_reference_request(m_spec, of)
                                               : kernel_request(m_sources.of(reference.source),
                                                                m_spec, reference.steps, of),
                           reference.args,
                           {},
                           {},
                           CheckedKernel::Role::reference};
      kernel.source = reference.source;
      plan_reference(of, kernel);
      return kernel;
    });
  }

  void add_compare(const OutputCheckSpec& output, const Case& of) {
    const std::string place = m_places.compare(output.name);
    try_to_add(place, of, [&] {
      const ComparePlan plan = plan_compare(m_spec, output, of);
      return CheckedKernel{
          "compare " + output.name,
          problem_text(m_spec, of.problem),
          "",
          kernel_request(m_sources.of(output.compare->source), m_spec, output.compare->steps, of),
          output.compare->args,
          launches_of({plan.step}, place),
          [step = plan.step](const CompiledFacts&) { return std::vector<StepPlan>{step}; },
          CheckedKernel::Role::compare,
          {},
          {},
          output.compare->source};
    });
  }

  void add_baseline(std::size_t index, const Case& any) {
    const Baseline& baseline = m_spec.baselines[index];
    Config config = any.config;
    for (const auto& [name, value] : baseline.params.entries()) config.set(name, value);
    const Case of{any.problem, config, any.device};
    try_to_add(m_places.baseline(index), of, [&] {
      CheckedKernel kernel{
          "baseline " + baseline.name,
          problem_text(m_spec, of.problem),
          "",
          kernel_request(m_sources.of(m_spec.source), m_spec, baseline.steps, of),
          m_spec.args,
          {},
          later(of,
                [&baseline](const KernelSpec& spec, const Case& there, const CompiledFacts& facts) {
                  return plan_baseline_steps(spec, baseline, there, facts);
                }),
          CheckedKernel::Role::baseline,
          {},
          {},
          m_spec.source};
      kernel.launches =
          launches_of(kernel.steps({}), m_places.at({"baselines", baseline.name, "entry"}));
      return kernel;
    });
  }

  void add_config(const Case& of) {
    try_to_add(m_places.entry(0), of, [&] {
      CheckedKernel kernel{of.config.text(),
                           problem_text(m_spec, of.problem),
                           "",
                           kernel_request(m_sources.of(m_spec.source), m_spec, m_spec.steps, of),
                           m_spec.args,
                           {},
                           later(of, plan_steps),
                           CheckedKernel::Role::configuration,
                           of.problem,
                           of.config,
                           m_spec.source};
      kernel.launches = tuned_launches(kernel.steps({}));
      return kernel;
    });
  }

  const KernelSpec& m_spec;
  const SpecPlaces& m_places;
  const DeviceFacts& m_device;
  KernelSources m_sources;
  KernelsToCheck m_all;
  std::set<std::string> m_seen;
};

}  // namespace

KernelsToCheck kernels_to_check(const KernelSpec& spec, const SpecPlaces& places,
                                const std::vector<SampledProblem>& problems,
                                const DeviceFacts& device) {
  Collector collector(spec, places, device);
  for (const SampledProblem& problem : problems) collector.add(problem);
  return collector.take();
}

}  // namespace gtune
