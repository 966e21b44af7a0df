#pragma once

#include <string>
#include <vector>

#include "gpu/module.hpp"
#include "gpu/stream.hpp"
#include "measure/problem_buffers.hpp"
#include "model/plan.hpp"

namespace gtune {

/// The steps of one configuration, bound to the buffers of a problem and ready to be queued, as
/// often as wanted. Buffers, module and stream have to outlive it.
class StepSequence {
 public:
  /// Throws UserError where a step does not fit the arguments.
  StepSequence(const Module& module, const std::vector<StepPlan>& steps,
               const std::vector<ArgumentPlan>& arguments, ProblemBuffers& buffers,
               const Stream& stream);

  /// The steps of the setup.
  void queue_setup();
  /// All others: what is timed.
  void queue();

  /// Of what is timed.
  [[nodiscard]] std::size_t size() const { return m_timed.size(); }
  [[nodiscard]] const std::string& name(std::size_t step) const { return m_timed[step].name; }
  void queue_step(std::size_t step);

 private:
  struct Step {
    std::string name;
    cudaKernel_t kernel;
    LaunchPlan launch;
    KernelArguments arguments;
  };

  void queue(Step& step);

  const Stream& m_stream;
  std::vector<Step> m_setup;
  std::vector<Step> m_timed;
};

}  // namespace gtune
