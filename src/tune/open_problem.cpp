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

void open_problem(const Environment& env, const Problem& problem, const Config& config,
                  ProblemRole role, std::uint64_t seed) {
  OpenProblem request;
  request.problem = problem;
  request.awkward = role == ProblemRole::awkward;
  request.seed = seed;
  request.arguments = plan_arguments(env.spec, problem, config, env.device());
  request.tolerance = plan_tolerance(env.spec, problem);
  if (env.pool != nullptr && !env.device().replayed) {
    request.reference_launch = plan_reference_launch(env.spec, problem, env.device());
    CompileResult reference = compile_now(
        *env.pool, env.interrupted, env.request(env.spec.check.reference.entry, problem, config));
    if (!reference.ok) {
      throw UserError(ExitCode::failed,
                      "the reference kernel does not compile: " + reference.reason);
    }
    request.reference_name = reference.kernel_name;
    request.reference_cubin = std::move(reference.cubin);
  }
  if (role == ProblemRole::searched) {
    env.workers.on_all([&](RestartingWorker& worker, WorkerPool::Member&) { worker.ask(request); });
  } else {
    env.workers.on_lead([&](RestartingWorker& worker) { worker.ask(request); });
  }
}

}  // namespace gtune
