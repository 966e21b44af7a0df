#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gpu/module.hpp"
#include "gpu/stream.hpp"
#include "jit/step_resources.hpp"
#include "measure/problem_buffers.hpp"
#include "measure/step_sequence.hpp"

namespace gtune::bench {

inline constexpr double limit_ms = 60000;  // of a launch

/// A kernel of the spec's source, ready to be launched.
class Launchable {
 public:
  Launchable(const CompileResult& result, const std::vector<StepPlan>& steps,
             const std::vector<ArgumentPlan>& arguments, ProblemBuffers& buffers,
             const Stream& stream)
      : m_module(result.cubin),
        m_steps(m_module, with_kernel_names(steps, result.kernels), arguments, buffers, stream) {}
  void queue() { m_steps.queue(); }

 private:
  Module m_module;
  StepSequence m_steps;
};

void run_once(const Stream& stream, const std::function<void()>& queue);

/// The device pointer of a buffer among the arguments. Throws UserError where there is none.
[[nodiscard]] void* pointer_of(const std::string& name, const std::vector<ArgumentPlan>& arguments,
                               ProblemBuffers& buffers);

}  // namespace gtune::bench
