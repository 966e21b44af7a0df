#include "tune/open_problem.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "jit/step_resources.hpp"
#include "model/error.hpp"
#include "spec/buffer_contents.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_text.hpp"
#include "tune/host_code.hpp"

namespace gtune {

std::vector<CompileResult> compile_side_by_side(CompilePool& pool,
                                                const std::function<bool()>& interrupted,
                                                const std::vector<KernelRequest>& requests) {
  std::vector<std::uint64_t> tickets;
  for (auto request = requests.begin(); request != requests.end(); ++request) {
    const auto same = std::find_if(requests.begin(), request, [&](const KernelRequest& other) {
      return other.compile == request->compile;
    });
    tickets.push_back(same == request ? pool.submit(*request)
                                      : tickets[static_cast<std::size_t>(same - requests.begin())]);
  }
  std::map<std::uint64_t, CompileResult> results;
  std::set<std::uint64_t> waiting(tickets.begin(), tickets.end());
  while (!waiting.empty()) {
    if (interrupted()) throw Interrupted();
    auto finished = pool.wait_next(std::chrono::milliseconds(100));
    // Other results belong to an abandoned stage.
    if (!finished || waiting.erase(finished->ticket) == 0) continue;
    results.emplace(finished->ticket, std::move(finished->result));
  }
  std::vector<CompileResult> in_order;
  for (const std::uint64_t ticket : tickets) in_order.push_back(results.at(ticket));
  return in_order;
}

CompileResult compile_now(CompilePool& pool, const std::function<bool()>& interrupted,
                          KernelRequest request) {
  return std::move(compile_side_by_side(pool, interrupted, {std::move(request)}).front());
}

std::optional<KernelRequest> request_for_reference(const Environment& env, const Case& opened) {
  if (!env.spec.check.reference || env.spec.check.reference->on_host()) return std::nullopt;
  const Config config = reference_config(env.spec, opened.config);
  const Case right{opened.problem, config, opened.device};
  if (find_reference_violation(env.spec, right)) return std::nullopt;
  return env.reference_request(right);
}

namespace {

void add_reference(const Environment& env, const Case& opened, OpenProblem& request) {
  const Config config = reference_config(env.spec, opened.config);
  const Case right{opened.problem, config, opened.device};
  const auto violated = find_reference_violation(env.spec, right);
  if (violated && !request.awkward) {
    throw UserError(ExitCode::usage, env.spec.file.string() + ": the reference's configuration " +
                                         config.text() + " is not valid for " +
                                         problem_text(env.spec, opened.problem) + ": it violates " +
                                         *violated);
  }
  require_trust_in_host_code(env.spec);
  CompileResult compiled = compile_now(*env.pool, env.interrupted, env.reference_request(right));
  if (!compiled.ok) {
    throw UserError(ExitCode::failed, "the reference does not compile: " + compiled.reason);
  }
  ReferenceCall call{plan_reference_steps(env.spec, right, facts_of(&compiled, right.device)),
                     plan_reference_arguments(env.spec, right),
                     env.spec.check.reference->on_host()};
  call.steps = with_kernel_names(std::move(call.steps), compiled.kernels);
  request.set_reference(std::move(call), std::move(compiled.cubin));
}

void add_compares(const Environment& env, const Case& opened, OpenProblem& request) {
  for (const OutputCheckSpec& output : env.spec.check.outputs) {
    if (!output.compare) continue;
    ComparePlan plan = plan_compare(env.spec, output, opened);
    CompileResult compiled =
        compile_now(*env.pool, env.interrupted, env.compare_request(*output.compare, opened));
    if (!compiled.ok) {
      throw UserError(ExitCode::failed, "the compare entry of '" + output.name +
                                            "' does not compile: " + compiled.reason);
    }
    plan.step = with_kernel_names({std::move(plan.step)}, compiled.kernels).front();
    request.add(std::move(plan), compiled.cubin);
  }
}

}  // namespace

void open_problem(const Environment& env, const Case& opened, ProblemRole role,
                  const RunSettings& settings) {
  env.prepare_workers();
  OpenProblem request;
  request.problem = opened.problem;
  request.awkward = role == ProblemRole::awkward;
  request.streams = request.awkward ? 1 : settings.mode.streams;
  request.seed = settings.seed;
  request.arguments = plan_arguments(env.spec, opened);
  request.checks = plan_output_checks(env.spec, opened.problem, opened.device);
  if (!opened.device.replayed) {
    if (env.spec.check.reference && env.pool != nullptr) add_reference(env, opened, request);
    for (BufferContents& contents : read_contents(env.spec, request.arguments)) {
      request.add(std::move(contents));
    }
    if (env.pool != nullptr) add_compares(env, opened, request);
  }
  if (role == ProblemRole::searched) {
    env.workers.on_all([&](RestartingWorker& worker, WorkerPool::Member&) { worker.ask(request); });
  } else {
    env.workers.on_lead([&](RestartingWorker& worker) { worker.ask(request); });
  }
}

}  // namespace gtune
