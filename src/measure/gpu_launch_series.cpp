#include "measure/gpu_launch_series.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "measure/wait.hpp"

namespace gtune {
namespace {

constexpr std::size_t batches_ahead = 4;
/// A batch takes this long, since a read of the counter takes up to 13 ms on an H200, or consists
/// of as many launches as a queue holds without blocking the host.
constexpr double batch_ms = 10;
constexpr double most_launches_in_batch = 200;
/// Between two looks at the counter; far below the length of what is queued, unless launches are
/// very short.
constexpr auto pause = std::chrono::microseconds(100);

int batch_size(double launch_ms, std::size_t steps) {
  const double most = most_launches_in_batch / static_cast<double>(std::max<std::size_t>(1, steps));
  return static_cast<int>(
      std::clamp(batch_ms / std::max(launch_ms, 1e-6), 1.0, std::max(1.0, most)));
}

}  // namespace

GpuLaunchSeries::GpuLaunchSeries(std::function<void()> launch, double launch_ms, std::size_t steps,
                                 const Stream& stream, const EnergyCounter& counter,
                                 double time_limit_ms)
    : m_launch(std::move(launch)),
      m_batch(batch_size(launch_ms, steps)),
      m_stream(stream),
      m_counter(counter),
      m_time_limit_ms(time_limit_ms),
      m_edges(batches_ahead + 1),
      m_last_finish_s(now_s()) {
  edge(0).record(m_stream);
}

void GpuLaunchSeries::go_on() {
  take_finished();
  while (m_batches_queued - m_batches_finished < batches_ahead) queue_batch();
  if ((now_s() - m_last_finish_s) * 1000 > m_time_limit_ms) throw KernelTimeout(m_time_limit_ms);
  std::this_thread::sleep_for(pause);
}

void GpuLaunchSeries::finish() {
  wait_for(edge(m_batches_queued), m_time_limit_ms * static_cast<double>(batches_ahead));
  take_finished();
}

double GpuLaunchSeries::now_s() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void GpuLaunchSeries::queue_batch() {
  for (int i = 0; i < m_batch; ++i) m_launch();
  ++m_batches_queued;
  edge(m_batches_queued).record(m_stream);
}

void GpuLaunchSeries::take_finished() {
  while (m_batches_finished < m_batches_queued && edge(m_batches_finished + 1).done()) {
    m_finished.device_ms += elapsed_ms(edge(m_batches_finished), edge(m_batches_finished + 1));
    m_finished.launches += m_batch;
    ++m_batches_finished;
    m_last_finish_s = now_s();
  }
}

}  // namespace gtune
