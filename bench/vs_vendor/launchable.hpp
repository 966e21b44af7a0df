#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gpu/module.hpp"
#include "gpu/stream.hpp"
#include "jit/compile_request.hpp"
#include "measure/problem_buffers.hpp"

namespace gtune::bench {

inline constexpr double limit_ms = 60000;  // of a launch

/// A kernel of the spec's source, ready to be launched.
class Launchable {
 public:
  Launchable(const CompileResult& result, const LaunchPlan& plan, KernelArguments arguments)
      : m_module(result.cubin),
        m_kernel(m_module.kernel(result.kernel_name)),
        m_plan(plan),
        m_arguments(std::move(arguments)) {
    prepare_for(m_kernel, plan);
  }
  void queue(const Stream& stream) { launch(m_kernel, m_plan, m_arguments.data(), stream); }

 private:
  Module m_module;
  cudaKernel_t m_kernel;
  LaunchPlan m_plan;
  KernelArguments m_arguments;
};

void run_once(const Stream& stream, const std::function<void()>& queue);

/// The device pointer of a buffer among bound arguments. Throws UserError where there is none.
[[nodiscard]] void* pointer_of(const std::string& name, const std::vector<ArgumentPlan>& arguments,
                               KernelArguments& bound);

}  // namespace gtune::bench
