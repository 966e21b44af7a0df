#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "gpu/buffer.hpp"
#include "gpu/module.hpp"
#include "measure/problem_buffers.hpp"

namespace gtune {

/// A kernel of the user's own that counts what is wrong in an output.
class CompareEntry {
 public:
  /// `plan`: its kernel by the cubin's name. Throws CudaError where the cubin does not fit,
  /// UserError for a plan without a launch.
  CompareEntry(ComparePlan plan, std::span<const std::byte> cubin);

  /// To be called when the buffers hold a result that is otherwise right: verify() has copied them
  /// to the device. Throws CudaError and KernelTimeout, which name the entry.
  void judge(ProblemBuffers& buffers, const Stream& stream, double limit_ms, CheckResult& result);

 private:
  [[nodiscard]] std::uint64_t count_mismatches(ProblemBuffers& buffers, const Stream& stream,
                                               double limit_ms);
  [[nodiscard]] KernelArguments bind(ProblemBuffers& buffers) const;
  [[nodiscard]] std::string named() const { return "compare entry of " + m_plan.output; }

  ComparePlan m_plan;
  KernelLaunch m_launch;
  Module m_module;
  DeviceBuffer m_count{sizeof(std::uint64_t)};
};

}  // namespace gtune
