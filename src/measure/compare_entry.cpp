#include "measure/compare_entry.hpp"

#include <utility>

#include "gpu/cuda_error.hpp"
#include "measure/wait.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

KernelLaunch launch_of(const ComparePlan& plan) {
  if (const auto* launch = std::get_if<KernelLaunch>(&plan.step.action)) return *launch;
  throw UserError(ExitCode::failed, "a compare entry that launches nothing");
}

}  // namespace

CompareEntry::CompareEntry(ComparePlan plan, std::span<const std::byte> cubin)
    : m_plan(std::move(plan)), m_launch(launch_of(m_plan)), m_module(cubin) {
  prepare_for(m_module.kernel(m_launch.kernel), m_launch.launch);
}

void CompareEntry::judge(ProblemBuffers& buffers, const Stream& stream, double limit_ms,
                         CheckResult& result) {
  std::uint64_t wrong = 0;
  try {
    wrong = count_mismatches(buffers, stream, limit_ms);
  } catch (const CudaError& error) {
    throw CudaError(error.code(), named());
  } catch (const KernelTimeout&) {
    throw KernelTimeout(limit_ms, named());
  }
  if (wrong == 0 || result.problem) return;
  result.problem = m_plan.output + ": the compare entry counts " + std::to_string(wrong) +
                   (wrong == 1 ? " mismatch" : " mismatches");
}

std::uint64_t CompareEntry::count_mismatches(ProblemBuffers& buffers, const Stream& stream,
                                             double limit_ms) {
  check_cuda(cudaMemsetAsync(m_count.data(), 0, m_count.size(), stream.get()), "cudaMemsetAsync");
  KernelArguments arguments = bind(buffers);
  launch(m_module.kernel(m_launch.kernel), m_launch.launch, arguments.data(), stream);
  Event done;
  done.record(stream);
  wait_for(done, limit_ms);
  std::uint64_t count = 0;
  check_cuda(cudaMemcpy(&count, m_count.data(), sizeof count, cudaMemcpyDeviceToHost),
             "cudaMemcpy");
  return count;
}

KernelArguments CompareEntry::bind(ProblemBuffers& buffers) const {
  KernelArguments bound;
  for (const ArgumentPlan& argument : m_plan.arguments) {
    if (const auto* scalar = std::get_if<ScalarPlan>(&argument)) {
      bound.add_scalar(*scalar);
    } else if (const auto* buffer = std::get_if<BufferPlan>(&argument)) {
      const bool is_count = buffer->name == m_plan.output + std::string(mismatches_suffix);
      bound.add_pointer(is_count ? m_count.data() : buffers.compared(buffer->name));
    } else {
      throw UserError(ExitCode::failed, "a compare entry accepts only buffers and scalars");
    }
  }
  return bound;
}

}  // namespace gtune
