#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "gpu/buffer.hpp"
#include "gpu/module.hpp"
#include "measure/problem_buffers.hpp"

namespace gtune {

/// A user's kernel that counts the errors in an output.
class CompareEntry {
 public:
  /// `plan`: names its kernel as the cubin does. Throws CudaError if the cubin cannot be loaded,
  /// and UserError if the plan has no launch.
  CompareEntry(ComparePlan plan, std::span<const std::byte> cubin);

  /// Sets `result`'s problem if the entry counts mismatches. verify() must have copied the buffers
  /// to the device and found no problem. Throws CudaError and KernelTimeout, which name the entry.
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
