#include "tune/evaluate.hpp"

#include "jit/step_resources.hpp"
#include "model/error.hpp"
#include "model/possible_measurement.hpp"
#include "spec/evaluate.hpp"

namespace gtune {

Measure measure_request(const ProblemState& state, const MeasurePlan& plan, const Case& measured,
                        const CompileResult* compiled, const std::vector<StepPlan>& steps) {
  Measure request;
  request.problem = measured.problem;
  request.config = measured.config;
  request.steps = steps;
  request.arguments = plan_arguments(state.environment.spec, measured);
  request.check = plan.check;
  request.time = plan.time;
  request.time_steps = plan.time_steps && steps.size() > 1;
  request.mode = state.settings.mode;
  request.sampling = plan.sampling;
  request.best_ms = plan.best_ms;
  request.time_limit_ms = state.launch_limit_ms();
  if (compiled != nullptr) {
    request.steps = with_kernel_names(steps, compiled->kernels);
    request.cubin = compiled->cubin;
  }
  return request;
}

bool adopt_compile(Measurement& measurement, const CompileResult& compiled,
                   const std::vector<StepPlan>& steps, const DeviceFacts& device) {
  measurement.compile_ms = compiled.compile_ms;
  if (!compiled.ok) {
    measurement.status = Status::compile_error;
    measurement.reason = compiled.reason;
    return false;
  }
  measurement.resources = resources_of(steps, compiled.kernels, device);
  if (const auto why = why_impossible(*measurement.resources)) {
    measurement.status = Status::compile_error;
    measurement.reason = "the compiler reported impossible resource usage: " + *why;
    measurement.resources.reset();
    return false;
  }
  if (auto reason = why_steps_cannot_launch(steps, compiled, device)) {
    measurement.status = Status::pruned;
    measurement.reason = *reason;
    return false;
  }
  return true;
}

void adopt_reply(Measurement& measurement, MeasureReply reply) {
  measurement.status = reply.status;
  measurement.reason = std::move(reply.reason);
  measurement.timing = std::move(reply.timing);
  measurement.max_error = reply.max_error;
  measurement.gpu_ms = reply.gpu_ms;
  if (reply.resources) measurement.resources = std::move(reply.resources);
  if (reply.compile_ms > 0) measurement.compile_ms = reply.compile_ms;
}

bool keep_after_compile(const ProblemState& state, Measurement& measurement) {
  if (!measurement.resources) return true;
  const Environment& env = state.environment;
  const auto violated = find_compiled_violation(
      env.spec, env.case_on_lead(state.problem, measurement.config), *measurement.resources);
  if (!violated) return true;
  measurement.status = Status::pruned;
  measurement.reason = "excluded after compile by " + *violated;
  measurement.timing.reset();
  measurement.max_error.reset();
  measurement.gpu_ms = 0;
  return false;
}

std::optional<Measure> request_for(const ProblemState& state, const Candidate& candidate,
                                   const MeasurePlan& plan, Measurement& measurement) {
  const Environment& env = state.environment;
  measurement.config = candidate.config;
  measurement.phase = plan.phase;
  const CompileResult* compiled = candidate.compiled ? &*candidate.compiled : nullptr;
  try {
    const Case measured = env.case_on_lead(state.problem, candidate.config);
    const std::vector<StepPlan> steps =
        plan_steps(env.spec, measured, facts_of(compiled, measured.device));
    if (compiled != nullptr && (!adopt_compile(measurement, *compiled, steps, measured.device) ||
                                !keep_after_compile(state, measurement))) {
      return std::nullopt;
    }
    return measure_request(state, plan, measured, compiled, steps);
  } catch (const UserError& error) {  // an argument that overflows for this configuration
    measurement.status = Status::pruned;
    measurement.reason = error.what();
    return std::nullopt;
  }
}

}  // namespace gtune
