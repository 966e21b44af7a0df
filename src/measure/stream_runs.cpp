#include "measure/stream_runs.hpp"

namespace gtune {

StreamRuns::StreamRuns(const Module& module, const std::vector<StepPlan>& steps,
                       const std::vector<ArgumentPlan>& arguments,
                       std::span<const std::unique_ptr<ProblemBuffers>> buffers,
                       const Stream& first)
    : m_first(first) {
  for (const auto& own : buffers) {
    const bool is_first = m_sequences.empty();
    if (!is_first) m_others.push_back(std::make_unique<Stream>());
    const Stream& stream = is_first ? first : *m_others.back();
    m_sequences.push_back(std::make_unique<StepSequence>(module, steps, arguments, *own, stream));
  }
}

void StreamRuns::fork() {
  if (m_others.empty()) return;
  m_edge.record(m_first);
  for (const auto& other : m_others) other->wait_for(m_edge);
}

void StreamRuns::join() {
  for (const auto& other : m_others) {
    m_edge.record(*other);
    m_first.wait_for(m_edge);
  }
}

void StreamRuns::queue_setup() {
  fork();
  for (const auto& sequence : m_sequences) sequence->queue_setup();
  join();
}

void StreamRuns::queue_row(int runs) {
  fork();
  for (int i = 0; i < runs; ++i) {
    for (const auto& sequence : m_sequences) {
      if (i > 0) sequence->queue_setup();
      sequence->queue();
    }
  }
  join();
}

}  // namespace gtune
