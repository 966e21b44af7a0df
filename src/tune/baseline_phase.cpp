#include "tune/baseline_phase.hpp"

#include "jit/step_resources.hpp"
#include "model/step_metrics.hpp"
#include "spec/evaluate.hpp"
#include "tune/evaluate.hpp"
#include "tune/open_problem.hpp"

namespace gtune {
namespace {

/// Measures it and stores what was measured, unless a recording does not contain it.
void run_baseline(ProblemState& state, const Baseline& baseline) {
  Measurement measurement;
  measurement.phase = Phase::baseline;
  measurement.label = baseline.name;
  measurement.config = baseline.params;
  const auto request = baseline_request(state, baseline, measurement);
  if (!request) {
    state.record(measurement);
    return;
  }
  MeasureReply reply = state.environment.workers.on_lead(
      [&](RestartingWorker& worker) { return worker.ask(*request); });
  if (!reply.performed) return;
  const std::vector<Metric> times = step_metrics(reply.step_times);
  adopt_reply(measurement, std::move(reply));
  state.environment.database.insert_metrics(state.record(measurement), times);
}

}  // namespace

Config baseline_config(const ProblemState& state, const Baseline& baseline) {
  Config config = state.space.config(0);
  for (const auto& [name, value] : baseline.params.entries()) config.set(name, value);
  return config;
}

KernelRequest baseline_kernel(const ProblemState& state, const Baseline& baseline) {
  const Environment& env = state.environment;
  return env.request(baseline.steps,
                     env.case_on_lead(state.problem, baseline_config(state, baseline)));
}

std::optional<Measure> baseline_request(ProblemState& state, const Baseline& baseline,
                                        Measurement& measurement) {
  const Environment& env = state.environment;
  // Arguments may depend on parameters that the baseline does not name.
  const Config config = baseline_config(state, baseline);
  const Case measured = env.case_on_lead(state.problem, config);
  std::optional<CompileResult> compiled;
  if (env.pool != nullptr) {
    compiled = compile_now(*env.pool, env.interrupted, baseline_kernel(state, baseline));
  }
  const std::vector<StepPlan> steps = plan_baseline_steps(
      env.spec, baseline, measured, facts_of(compiled ? &*compiled : nullptr, measured.device));
  if (compiled && !adopt_compile(measurement, *compiled, steps, measured.device)) {
    return std::nullopt;
  }
  MeasurePlan plan;
  plan.phase = Phase::baseline;
  plan.time_steps = true;
  Measure request = measure_request(state, plan, measured, compiled ? &*compiled : nullptr, steps);
  request.label = baseline.name;
  request.time_limit_ms = state.settings.launch_limit_ms;  // baselines may be slow
  return request;
}

void run_baselines(ProblemState& state) {
  for (const Baseline& baseline : state.environment.spec.baselines) {
    if (state.environment.interrupted()) throw Interrupted();
    run_baseline(state, baseline);
    state.report("baselines");
  }
}

}  // namespace gtune
