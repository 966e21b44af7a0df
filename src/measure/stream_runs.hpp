#pragma once

#include <memory>
#include <span>
#include <vector>

#include "measure/step_sequence.hpp"

namespace gtune {

/// The runs of one configuration on one or more streams at the same time, each with buffers of its
/// own.
class StreamRuns {
 public:
  /// `buffers`: of each stream. `first`: the first stream. All must outlive the runs. Throws
  /// UserError if a step does not fit the arguments.
  StreamRuns(const Module& module, const std::vector<StepPlan>& steps,
             const std::vector<ArgumentPlan>& arguments,
             std::span<const std::unique_ptr<ProblemBuffers>> buffers, const Stream& first);

  [[nodiscard]] int streams() const { return static_cast<int>(m_sequences.size()); }
  /// The steps on the first stream.
  [[nodiscard]] StepSequence& first() { return *m_sequences.front(); }

  /// These queue on each stream. Other streams begin when the work that is queued on the first one
  /// is done, and later work on the first one waits for them.
  void queue_setup();
  void queue() { queue_row(1); }
  /// As many runs, with the setup steps before all but the first.
  void queue_row(int runs);

 private:
  void fork();
  void join();

  const Stream& m_first;
  std::vector<std::unique_ptr<Stream>> m_others;
  std::vector<std::unique_ptr<StepSequence>> m_sequences;
  Event m_edge;  // marks where streams begin or one ends
};

}  // namespace gtune
