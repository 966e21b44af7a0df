#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include "gpu/energy_counter.hpp"
#include "gpu/stream.hpp"
#include "measure/energy_meter.hpp"

namespace gtune {

/// A series of launches on a device. Some 40 ms of work are queued ahead, so that the
/// device has no gap while the host reads the counter, and the host can end the series soon.
class GpuLaunchSeries : public LaunchSeries {
 public:
  /// `launch` queues one launch of `steps` steps, which takes about `launch_ms`. All arguments must
  /// outlive the series.
  GpuLaunchSeries(std::function<void()> launch, double launch_ms, std::size_t steps,
                  const Stream& stream, const EnergyCounter& counter, double time_limit_ms);

  /// Throws CudaError if a launch failed, KernelTimeout if a batch takes longer than the limit.
  void go_on() override;
  [[nodiscard]] Finished finished() const override { return m_finished; }
  [[nodiscard]] std::optional<double> counter_mj() const override { return m_counter.total_mj(); }
  [[nodiscard]] double now_s() const override;
  /// Waits for all that is queued. Throws as go_on().
  void finish();

 private:
  void queue_batch();
  void take_finished();
  /// The event at the end of a batch; number 0 is that at the start of the series.
  [[nodiscard]] Event& edge(std::size_t batch) { return m_edges[batch % m_edges.size()]; }

  std::function<void()> m_launch;
  int m_batch;  // launches between two events
  const Stream& m_stream;
  const EnergyCounter& m_counter;
  double m_time_limit_ms;
  std::vector<Event> m_edges;
  std::size_t m_batches_queued = 0;
  std::size_t m_batches_finished = 0;
  double m_last_finish_s = 0;
  Finished m_finished;
};

}  // namespace gtune
