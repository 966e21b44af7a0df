#include "tune/open_problem.hpp"

#include "model/error.hpp"
#include "spec/evaluate.hpp"

namespace gtune {

CompileResult compile_now(CompilePool& pool, const std::function<bool()>& interrupted,
                          KernelRequest request) {
  const std::uint64_t ticket = pool.submit(std::move(request));
  for (;;) {
    if (interrupted()) throw Interrupted();
    auto finished = pool.wait_next(std::chrono::milliseconds(100));
    // Others are left over from a stage that was given up.
    if (finished && finished->ticket == ticket) return std::move(finished->result);
  }
}

namespace {

void add_reference(const Environment& env, const Config& config, OpenProblem& request) {
  ReferenceCall call{"", plan_reference_launch(env.spec, request.problem, env.device()),
                     plan_reference_arguments(env.spec, request.problem, config, env.device())};
  CompileResult compiled =
      compile_now(*env.pool, env.interrupted, env.reference_request(request.problem, config));
  if (!compiled.ok) {
    throw UserError(ExitCode::failed, "the reference kernel does not compile: " + compiled.reason);
  }
  call.kernel_name = compiled.kernel_name;
  request.reference = std::move(call);
  request.reference_cubin = std::move(compiled.cubin);
}

}  // namespace

void open_problem(const Environment& env, const Problem& problem, const Config& config,
                  ProblemRole role, std::uint64_t seed) {
  OpenProblem request;
  request.problem = problem;
  request.awkward = role == ProblemRole::awkward;
  request.seed = seed;
  request.arguments = plan_arguments(env.spec, problem, config, env.device());
  request.tolerance = plan_tolerance(env.spec, problem);
  if (env.pool != nullptr && !env.device().replayed) add_reference(env, config, request);
  if (role == ProblemRole::searched) {
    env.workers.on_all([&](RestartingWorker& worker, WorkerPool::Member&) { worker.ask(request); });
  } else {
    env.workers.on_lead([&](RestartingWorker& worker) { worker.ask(request); });
  }
}

}  // namespace gtune
