#include "tune/winner_check.hpp"

#include "model/error.hpp"
#include "spec/evaluate.hpp"
#include "tune/evaluate.hpp"
#include "tune/open_problem.hpp"

namespace gtune {
namespace {

/// The first awkward size on which the configuration is wrong, as one line.
std::optional<std::string> check_on(ProblemState& state, const Problem& problem,
                                    const Config& config, AwkwardResult& result) {
  const Environment& env = state.environment;
  // Another problem may make another kernel of it.
  std::optional<CompileResult> compiled;
  if (env.pool != nullptr)
    compiled =
        compile_now(*env.pool, env.interrupted, env.request(env.spec.entry, problem, config));
  if (compiled && !compiled->ok) {
    return "at " + problem.text() + ": it does not compile, " + compiled->reason;
  }
  open_problem(env, problem, config, ProblemRole::awkward, state.settings.seed);
  const LaunchPlan launch = plan_launch(env.spec, problem, config, env.device());
  MeasurePlan plan;
  plan.time = false;
  Measure request = measure_request(state, plan, config, compiled ? &*compiled : nullptr, launch);
  request.problem = problem;
  request.arguments = plan_arguments(env.spec, problem, config, env.device());
  const MeasureReply reply =
      env.workers.on_lead([&](RestartingWorker& worker) { return worker.ask(request); });
  result.performed = result.performed || reply.performed;
  if (!reply.performed || reply.status == Status::ok) return std::nullopt;
  return "at " + problem.text() + ": " + std::string(to_string(reply.status)) +
         (reply.reason.empty() ? "" : ", " + reply.reason);
}

/// A size may leave a launch without blocks: there is nothing to check then.
bool can_be_launched(const Environment& env, const Problem& problem, const Config& config) {
  try {
    static_cast<void>(plan_launch(env.spec, problem, config, env.device()));
    static_cast<void>(plan_reference_launch(env.spec, problem, env.device()));
    return true;
  } catch (const UserError&) {
    return false;
  }
}

}  // namespace

AwkwardResult check_awkward(ProblemState& state, const Config& config) {
  const Environment& env = state.environment;
  AwkwardResult result;
  for (const Problem& problem : awkward_problems(env.spec, state.problem, config, env.device())) {
    if (!can_be_launched(env, problem, config)) continue;
    result.failure = check_on(state, problem, config, result);
    if (result.failure) return result;
  }
  return result;
}

}  // namespace gtune
