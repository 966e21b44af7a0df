#include "tune/baseline_phase.hpp"

#include "jit/step_resources.hpp"
#include "spec/evaluate.hpp"
#include "tune/evaluate.hpp"
#include "tune/open_problem.hpp"

namespace gtune {
namespace {

/// Absent if a recording does not contain it.
std::optional<Measurement> measure_baseline(ProblemState& state, const Baseline& baseline) {
  Measurement measurement;
  measurement.phase = Phase::baseline;
  measurement.label = baseline.name;
  measurement.config = baseline.params;
  const auto request = baseline_request(state, baseline, measurement);
  if (!request) return measurement;
  MeasureReply reply = state.environment.workers.on_lead(
      [&](RestartingWorker& worker) { return worker.ask(*request); });
  if (!reply.performed) return std::nullopt;
  adopt_reply(measurement, std::move(reply));
  return measurement;
}

}  // namespace

Config baseline_config(const ProblemState& state, const Baseline& baseline) {
  Config config = state.space.config(0);
  for (const auto& [name, value] : baseline.params.entries()) config.set(name, value);
  return config;
}

std::optional<Measure> baseline_request(ProblemState& state, const Baseline& baseline,
                                        Measurement& measurement) {
  const Environment& env = state.environment;
  // Arguments may depend on parameters that the baseline does not name.
  const Config config = baseline_config(state, baseline);
  const Case measured = env.case_on_lead(state.problem, config);
  std::optional<CompileResult> compiled;
  if (env.pool != nullptr) {
    compiled = compile_now(*env.pool, env.interrupted, env.request(baseline.steps, measured));
  }
  const std::vector<StepPlan> steps = plan_baseline_steps(
      env.spec, baseline, measured, facts_of(compiled ? &*compiled : nullptr, measured.device));
  if (compiled && !adopt_compile(measurement, *compiled, steps, measured.device)) {
    return std::nullopt;
  }
  MeasurePlan plan;
  plan.phase = Phase::baseline;
  Measure request = measure_request(state, plan, measured, compiled ? &*compiled : nullptr, steps);
  request.label = baseline.name;
  request.time_limit_ms = state.settings.launch_limit_ms;  // baselines may be slow
  return request;
}

void run_baselines(ProblemState& state) {
  for (const Baseline& baseline : state.environment.spec.baselines) {
    if (state.environment.interrupted()) throw Interrupted();
    if (const auto measured = measure_baseline(state, baseline)) state.record(*measured);
    state.report("baselines");
  }
}

}  // namespace gtune
