#include "measure/step_sequence.hpp"

#include <algorithm>
#include <map>

namespace gtune {
namespace {

/// What a kernel has to be prepared for: opting in is a kernel's, and of its launches the one that
/// needs most decides.
LaunchPlan joined(const LaunchPlan& a, const LaunchPlan& b) {
  LaunchPlan all = a;
  all.shared_bytes = std::max(a.shared_bytes, b.shared_bytes);
  all.carveout = std::max(a.carveout, b.carveout);
  if (b.blocks_per_cluster() > a.blocks_per_cluster()) all.cluster = b.cluster;
  return all;
}

}  // namespace

StepSequence::StepSequence(const Module& module, const std::vector<StepPlan>& steps,
                           const std::vector<ArgumentPlan>& arguments, ProblemBuffers& buffers,
                           const Stream& stream)
    : m_stream(stream) {
  buffers.make_ready(arguments);
  std::map<std::string, LaunchPlan> needs;
  for (const StepPlan& step : steps) {
    const auto& launch = std::get<KernelLaunch>(step.action);
    std::vector<Step>& part = step.setup ? m_setup : m_timed;
    part.push_back({step.name, module.kernel(launch.kernel), launch.launch,
                    buffers.bind(arguments, launch.arguments)});
    const auto [known, is_new] = needs.emplace(launch.kernel, launch.launch);
    if (!is_new) known->second = joined(known->second, launch.launch);
  }
  for (const auto& [kernel, most] : needs) prepare_for(module.kernel(kernel), most);
  buffers.set_symbols(module, arguments);
}

void StepSequence::queue(Step& step) {
  launch(step.kernel, step.launch, step.arguments.data(), m_stream);
}

void StepSequence::queue_setup() {
  for (Step& step : m_setup) queue(step);
}

void StepSequence::queue() {
  for (Step& step : m_timed) queue(step);
}

void StepSequence::queue_step(std::size_t step) { queue(m_timed[step]); }

}  // namespace gtune
