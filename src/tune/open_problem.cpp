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

void add_reference(const Environment& env, const Case& opened, OpenProblem& request) {
  ReferenceCall call{"", plan_reference_launch(env.spec, opened.problem, opened.device),
                     plan_reference_arguments(env.spec, opened)};
  CompileResult compiled = compile_now(*env.pool, env.interrupted, env.reference_request(opened));
  if (!compiled.ok) {
    throw UserError(ExitCode::failed, "the reference kernel does not compile: " + compiled.reason);
  }
  call.kernel_name = compiled.kernel_name;
  request.reference = std::move(call);
  request.reference_cubin = std::move(compiled.cubin);
}

}  // namespace

void open_problem(const Environment& env, const Case& opened, ProblemRole role,
                  std::uint64_t seed) {
  OpenProblem request;
  request.problem = opened.problem;
  request.awkward = role == ProblemRole::awkward;
  request.seed = seed;
  request.arguments = plan_arguments(env.spec, opened);
  request.tolerance = plan_tolerance(env.spec, opened.problem);
  if (env.pool != nullptr && !opened.device.replayed) add_reference(env, opened, request);
  if (role == ProblemRole::searched) {
    env.workers.on_all([&](RestartingWorker& worker, WorkerPool::Member&) { worker.ask(request); });
  } else {
    env.workers.on_lead([&](RestartingWorker& worker) { worker.ask(request); });
  }
}

}  // namespace gtune
