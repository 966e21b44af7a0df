#include "measure/step_sequence.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "gpu/cuda_error.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

/// A kernel's attributes are set once for all its launches, so the largest requirements decide.
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
  m_surfaces = buffers.make_surfaces(arguments);
  std::map<std::string, LaunchPlan> needs;
  std::vector<std::optional<std::size_t>> timed;
  for (const StepPlan& step : steps) {
    std::vector<Step>& part = step.setup ? m_setup : m_timed;
    timed.push_back(step.setup ? std::nullopt : std::optional(m_timed.size()));
    if (const auto* copy = std::get_if<BufferCopy>(&step.action)) {
      part.push_back({step.name, bound(*copy, buffers)});
    } else if (const auto* set = std::get_if<BufferSet>(&step.action)) {
      part.push_back({step.name, bound(*set, buffers)});
    } else {
      const auto& launch = std::get<KernelLaunch>(step.action);
      part.push_back({step.name, Launch{module.kernel(launch.kernel), launch.launch,
                                        buffers.bind(arguments, launch.arguments, m_surfaces)}});
      const auto [known, is_new] = needs.emplace(launch.kernel, launch.launch);
      if (!is_new) known->second = joined(known->second, launch.launch);
    }
  }
  connect(steps, timed);
  for (const auto& [kernel, most] : needs) prepare_for(module.kernel(kernel), most);
  buffers.set_symbols(module, arguments);
}

StepSequence::Copy StepSequence::bound(const BufferCopy& copy, ProblemBuffers& buffers) {
  const std::size_t bytes = buffers.bytes_in(copy.from);
  if (bytes != buffers.bytes_in(copy.to)) {
    throw UserError(ExitCode::failed, "a copy between ranges of different sizes");
  }
  return {buffers.place_of(copy.to), buffers.place_of(copy.from), bytes};
}

StepSequence::Set StepSequence::bound(const BufferSet& set, ProblemBuffers& buffers) {
  return {buffers.place_of(set.range), set.byte, buffers.bytes_in(set.range)};
}

void StepSequence::connect(const std::vector<StepPlan>& steps,
                           const std::vector<std::optional<std::size_t>>& timed) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!timed[i]) continue;
    Step& step = m_timed[*timed[i]];
    step.stream = steps[i].stream;
    while (std::cmp_less(m_others.size(), step.stream)) {
      m_others.push_back(std::make_unique<Stream>());
    }
    for (const std::size_t other : steps[i].after) {
      if (other >= i)
        throw UserError(ExitCode::failed, "a step waits for one that is not before it");
      if (!timed[other] || steps[other].stream == step.stream) continue;  // has finished by then
      step.after.push_back(*timed[other]);
      if (!m_timed[*timed[other]].done) m_timed[*timed[other]].done.emplace();
    }
  }
}

const Stream& StepSequence::stream_of(const Step& step) const {
  return step.stream == 0 ? m_stream : *m_others[static_cast<std::size_t>(step.stream) - 1];
}

void StepSequence::fork() {
  if (m_others.empty()) return;
  m_edge.record(m_stream);
  for (const auto& other : m_others) other->wait_for(m_edge);
}

void StepSequence::join() {
  for (const auto& other : m_others) {
    m_edge.record(*other);
    m_stream.wait_for(m_edge);
  }
}

void StepSequence::queue(Step& step, const Stream& stream) {
  if (auto* kernel = std::get_if<Launch>(&step.action)) {
    launch(kernel->kernel, kernel->plan, kernel->arguments.data(), stream);
  } else if (const auto* copy = std::get_if<Copy>(&step.action)) {
    check_cuda(cudaMemcpyAsync(copy->to, copy->from, copy->bytes, cudaMemcpyDefault, stream.get()),
               "cudaMemcpyAsync");
  } else {
    const Set& set = std::get<Set>(step.action);
    check_cuda(cudaMemsetAsync(set.at, set.byte, set.bytes, stream.get()), "cudaMemsetAsync");
  }
}

void StepSequence::store_surfaces() const {
  for (const auto& [name, surface] : m_surfaces) surface->store();
}

void StepSequence::queue_setup() {
  for (const auto& [name, surface] : m_surfaces) surface->load();
  for (Step& step : m_setup) queue(step, m_stream);
}

void StepSequence::queue() {
  fork();
  for (Step& step : m_timed) {
    const Stream& stream = stream_of(step);
    for (const std::size_t other : step.after) stream.wait_for(*m_timed[other].done);
    queue(step, stream);
    if (step.done) step.done->record(stream);
  }
  join();
}

void StepSequence::queue_step(std::size_t step) { queue(m_timed[step], m_stream); }

}  // namespace gtune
