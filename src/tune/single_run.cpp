#include "tune/single_run.hpp"

#include <cuda_profiler_api.h>

#include "gpu/cuda_error.hpp"
#include "jit/compile_pool.hpp"
#include "jit/kernel_request.hpp"
#include "jit/macro_overrides.hpp"
#include "jit/nvrtc_library.hpp"
#include "jit/step_resources.hpp"
#include "measure/problem_buffers.hpp"
#include "measure/step_sequence.hpp"
#include "measure/wait.hpp"
#include "model/error.hpp"
#include "spec/buffer_contents.hpp"
#include "spec/evaluate.hpp"
#include "tune/open_problem.hpp"
#include "tune/support_request.hpp"

namespace gtune {
namespace {

/// Generous, since a kernel may be slow under a sanitizer.
constexpr double single_launch_limit_ms = 600000;
constexpr std::size_t l2_flush_factor = 2;

struct CompiledRun {
  CompileResult kernel;
  CompileResult support;
};

/// Ends the compilers before it returns, so that the kernel runs alone on the machine.
CompiledRun compile_run(const SingleRun& run, CubinCache& cache,
                        const std::vector<std::string>& compiler_command,
                        const std::function<bool()>& interrupted) {
  PoolOptions options;
  options.threads = 1;
  options.compiler_command = compiler_command;
  options.cache = &cache;
  options.nvrtc_version = nvrtc_version();
  CompilePool pool(options);
  const KernelSource source(run.spec.source, run.spec.compiler);
  if (run.baseline == nullptr) require_no_override(run.spec, source, run.device.arch());
  const auto& steps = run.baseline == nullptr ? run.spec.steps : run.baseline->steps;
  CompiledRun compiled{
      compile_now(pool, interrupted, kernel_request(source, run.spec, steps, run.launched())),
      compile_now(pool, interrupted, support_request(run.device.arch()))};
  for (const CompileResult* result : {&compiled.kernel, &compiled.support}) {
    if (!result->ok) {
      throw UserError(ExitCode::failed, "it does not compile: " + result->reason);
    }
  }
  return compiled;
}

std::vector<StepPlan> steps_of(const SingleRun& run, const CompileResult& compiled) {
  const CompiledFacts facts = facts_of(&compiled, run.device);
  return run.baseline == nullptr
             ? plan_steps(run.spec, run.launched(), facts)
             : plan_baseline_steps(run.spec, *run.baseline, run.launched(), facts);
}

void require_valid(const SingleRun& run, const CompileResult& compiled,
                   const std::vector<StepPlan>& plan) {
  if (const auto reason = why_steps_cannot_launch(plan, compiled, run.device)) {
    throw UserError(ExitCode::failed, "it cannot be launched: " + *reason);
  }
  if (run.baseline != nullptr) return;
  const ResourceUsage usage = resources_of(plan, compiled.kernels, run.device);
  if (const auto violated = find_compiled_violation(run.spec, run.launched(), usage)) {
    throw UserError(ExitCode::failed, "it is excluded after compile by " + *violated);
  }
}

std::vector<double> launch_compiled(const SingleRun& run, const CompiledRun& compiled,
                                    const std::vector<StepPlan>& plan) {
  check_cuda(cudaSetDevice(run.device_index), "cudaSetDevice");
  const Stream stream;
  SupportKernels kernels(compiled.support.cubin, stream);
  const auto arguments = plan_arguments(run.spec, run.launched());
  ProblemBuffers buffers(arguments, plan_output_checks(run.spec, run.problem, run.device),
                         read_contents(run.spec, arguments), run.seed, kernels);
  const DeviceBuffer flush(
      run.flush_l2 ? static_cast<std::size_t>(run.device.l2_bytes) * l2_flush_factor : 1);
  const Module module(compiled.kernel.cubin);
  StepSequence steps(module, with_kernel_names(plan, compiled.kernel.kernels), arguments, buffers,
                     stream);
  Event start;
  Event stop;
  check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  check_cuda(cudaProfilerStart(), "cudaProfilerStart");
  std::vector<double> times;
  for (int i = 0; i < run.launches; ++i) {
    buffers.restore_inouts();
    steps.queue_setup();
    if (run.flush_l2) kernels.flush(flush);
    start.record(stream);
    steps.queue();
    stop.record(stream);
    wait_for(stop, single_launch_limit_ms);
    times.push_back(elapsed_ms(start, stop));
  }
  check_cuda(cudaProfilerStop(), "cudaProfilerStop");
  return times;
}

}  // namespace

std::vector<double> run_alone(const SingleRun& run, CubinCache& cache,
                              const std::vector<std::string>& compiler_command,
                              const std::function<bool()>& interrupted) {
  const CompiledRun compiled = compile_run(run, cache, compiler_command, interrupted);
  const std::vector<StepPlan> plan = steps_of(run, compiled.kernel);
  require_valid(run, compiled.kernel, plan);
  try {
    return launch_compiled(run, compiled, plan);
  } catch (const CudaError& error) {
    throw UserError(ExitCode::failed, error.what());
  } catch (const KernelTimeout& error) {
    throw UserError(ExitCode::failed, error.what());
  }
}

}  // namespace gtune
