#include "tune/winner_check.hpp"

#include "jit/step_resources.hpp"
#include "model/error.hpp"
#include "spec/awkward_problems.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_text.hpp"
#include "tune/evaluate.hpp"
#include "tune/open_problem.hpp"

namespace gtune {
namespace {

/// One line about the awkward size if the configuration is wrong on it; otherwise absent.
std::optional<std::string> check_case(ProblemState& state, const Case& checked,
                                      AwkwardResult& result) {
  const Environment& env = state.environment;
  // The kernel may differ between problems.
  std::optional<CompileResult> compiled;
  if (env.pool != nullptr)
    compiled = compile_now(*env.pool, env.interrupted, env.request(env.spec.steps, checked));
  if (compiled && !compiled->ok) {
    return "at " + problem_text(env.spec, checked.problem) + ": it does not compile, " +
           compiled->reason;
  }
  open_problem(env, checked, ProblemRole::awkward, state.settings.seed);
  const std::vector<StepPlan> steps =
      plan_steps(env.spec, checked, facts_of(compiled ? &*compiled : nullptr, checked.device));
  MeasurePlan plan;
  plan.time = false;
  const Measure request =
      measure_request(state, plan, checked, compiled ? &*compiled : nullptr, steps);
  const MeasureReply reply =
      env.workers.on_lead([&](RestartingWorker& worker) { return worker.ask(request); });
  result.performed = result.performed || reply.performed;
  if (!reply.performed || reply.status == Status::ok) return std::nullopt;
  return "at " + problem_text(env.spec, checked.problem) + ": " +
         std::string(to_string(reply.status)) + (reply.reason.empty() ? "" : ", " + reply.reason);
}

/// False for a size with an empty grid, for which there is nothing to check.
bool can_be_launched(const KernelSpec& spec, const Case& checked) {
  try {
    static_cast<void>(plan_steps(spec, checked));
    if (spec.check.reference) {
      const Config config = reference_config(spec, checked.config);
      static_cast<void>(plan_reference_steps(spec, {checked.problem, config, checked.device}));
    }
    return true;
  } catch (const UserError&) {
    return false;
  }
}

}  // namespace

AwkwardResult check_awkward(ProblemState& state, const Config& config) {
  const Environment& env = state.environment;
  AwkwardResult result;
  for (const Problem& problem :
       awkward_problems(env.spec, env.case_on_lead(state.problem, config))) {
    const Case checked = env.case_on_lead(problem, config);
    if (!can_be_launched(env.spec, checked)) continue;
    result.failure = check_case(state, checked, result);
    if (result.failure) return result;
  }
  return result;
}

}  // namespace gtune
