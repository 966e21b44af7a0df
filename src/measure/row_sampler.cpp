#include "measure/row_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "measure/wait.hpp"
#include "model/timing_mode.hpp"

namespace gtune {
namespace {

// A row lasts about 1 ms: events resolve 0.5 us, and the first launch of a row costs some us.
constexpr double row_ms = 1;
constexpr int longest_row = 500;
/// Of all streams together. A graph of more nodes takes long to make.
constexpr int most_queued_steps = 20000;
/// More than the host needs to launch a graph.
constexpr double graph_launch_us = 60;

int row_length(double launch_ms, std::size_t steps) {
  const double wanted = std::ceil(row_ms / std::max(launch_ms, 1e-4));
  const auto most = most_queued_steps / static_cast<int>(std::max<std::size_t>(1, steps));
  return std::clamp(static_cast<int>(std::min<double>(wanted, longest_row)), shortest_row,
                    std::max(shortest_row, most));
}

}  // namespace

RowSampler::RowSampler(std::function<void()> restore, StreamRuns& runs, bool as_graph,
                       SupportKernels& kernels, const Stream& stream, const ClockMonitor& clock,
                       double limit_ms)
    : m_restore(std::move(restore)),
      m_runs(runs),
      m_as_graph(as_graph),
      m_kernels(kernels),
      m_stream(stream),
      m_clock(clock),
      m_limit_ms(limit_ms) {}

double RowSampler::time_row(int length) {
  m_restore();
  m_stop.record(m_stream);
  wait_for(m_stop, m_limit_ms);  // else the host would queue launches while data are copied
  if (m_graph) m_kernels.delay(graph_launch_us);
  m_start.record(m_stream);
  if (m_graph) {
    m_graph->launch(m_stream);
  } else {
    m_runs.queue_row(length);
  }
  m_stop.record(m_stream);
  wait_for(m_stop, m_limit_ms * length * m_runs.streams());
  return elapsed_ms(m_start, m_stop);
}

void RowSampler::choose_length() {
  const std::size_t steps = m_runs.first().size() * static_cast<std::size_t>(m_runs.streams());
  // The first row may wait for code and scratch memory of the other streams.
  static_cast<void>(time_row(1));
  m_length = row_length(time_row(shortest_row) / shortest_row, steps);
  if (m_as_graph) {
    m_graph = std::make_unique<Graph>(m_stream, [&] { m_runs.queue_row(m_length); });
  }
}

std::vector<Sample> RowSampler::take(int count) {
  if (m_length == 0) choose_length();
  std::vector<Sample> samples;
  for (int i = 0; i < count; ++i) {
    const double ms = time_row(m_length) / (m_length * m_runs.streams());
    samples.push_back({ms, m_clock.sm_clock_mhz()});
  }
  return samples;
}

}  // namespace gtune
