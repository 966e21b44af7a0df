#pragma once

#include <functional>
#include <memory>

#include "gpu/graph.hpp"
#include "gpu/nvml.hpp"
#include "gpu/stream.hpp"
#include "gpu/support_kernels.hpp"
#include "measure/sampling.hpp"
#include "measure/stream_runs.hpp"

namespace gtune {

/// Times launches in a row, of which a sample is the mean: back to back, as fast as the host queues
/// them, or as one CUDA graph, whose own launch is not part of the time. Data are restored before
/// each row, not between its launches. A row is long enough that its ends do not matter.
class RowSampler : public SampleSource {
 public:
  /// `restore` queues copies that restore the kernel's data. `limit_ms`: of one launch.
  RowSampler(std::function<void()> restore, StreamRuns& runs, bool as_graph,
             SupportKernels& kernels, const Stream& stream, const ClockMonitor& clock,
             double limit_ms);

  std::vector<Sample> take(int count) override;

 private:
  /// Times `length` launches on each stream, in ms of all together.
  double time_row(int length);
  void choose_length();

  std::function<void()> m_restore;
  StreamRuns& m_runs;
  bool m_as_graph;
  SupportKernels& m_kernels;
  const Stream& m_stream;
  const ClockMonitor& m_clock;
  double m_limit_ms;
  int m_length = 0;                // launches of a row, on each stream; 0: not chosen yet
  std::unique_ptr<Graph> m_graph;  // of a row
  Event m_start;
  Event m_stop;
};

}  // namespace gtune
