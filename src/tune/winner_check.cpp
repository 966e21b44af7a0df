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
/// `compiled`: null if nothing is compiled.
std::optional<std::string> check_case(ProblemState& state, const Case& checked,
                                      const CompileResult* compiled, AwkwardResult& result) {
  const Environment& env = state.environment;
  if (compiled != nullptr && !compiled->ok) {
    return "at " + problem_text(env.spec, checked.problem) + ": it does not compile, " +
           compiled->reason;
  }
  open_problem(env, checked, ProblemRole::awkward, state.settings);
  const std::vector<StepPlan> steps =
      plan_steps(env.spec, checked, facts_of(compiled, checked.device));
  MeasurePlan plan;
  plan.time = false;
  const Measure request = measure_request(state, plan, checked, compiled, steps);
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

std::vector<Problem> problems_to_check(const ProblemState& state, const Config& config) {
  const Environment& env = state.environment;
  std::vector<Problem> problems =
      awkward_problems(env.spec, env.case_on_lead(state.problem, config));
  std::erase_if(problems, [&](const Problem& problem) {
    return !can_be_launched(env.spec, env.case_on_lead(problem, config));
  });
  return problems;
}

/// The kernel for each problem, which may differ between them.
std::vector<KernelRequest> kernels_for(const Environment& env, const std::vector<Problem>& problems,
                                       const Config& config) {
  std::vector<KernelRequest> requests;
  for (const Problem& problem : problems) {
    requests.push_back(env.request(env.spec.steps, env.case_on_lead(problem, config)));
  }
  return requests;
}

}  // namespace

std::vector<KernelRequest> kernels_to_check(const ProblemState& state, const Config& config) {
  return kernels_for(state.environment, problems_to_check(state, config), config);
}

AwkwardResult check_awkward(ProblemState& state, const Config& config) {
  const Environment& env = state.environment;
  const std::vector<Problem> problems = problems_to_check(state, config);
  std::vector<CompileResult> compiled;
  if (env.pool != nullptr) {
    compiled = compile_side_by_side(*env.pool, env.interrupted, kernels_for(env, problems, config));
  }
  AwkwardResult result;
  for (std::size_t i = 0; i < problems.size() && !result.failure; ++i) {
    result.failure = check_case(state, env.case_on_lead(problems[i], config),
                                compiled.empty() ? nullptr : &compiled[i], result);
  }
  return result;
}

}  // namespace gtune
