#include "measure/gpu_sampler.hpp"

#include <utility>

#include "measure/wait.hpp"

namespace gtune {

GpuSampler::GpuSampler(std::function<void()> restore, std::function<void()> launch, int launches,
                       const DeviceBuffer* flush_buffer, SupportKernels& kernels,
                       const Stream& stream, const ClockMonitor& clock, double time_limit_ms)
    : m_restore(std::move(restore)),
      m_launch(std::move(launch)),
      m_launches(launches),
      m_flush_buffer(flush_buffer),
      m_kernels(kernels),
      m_stream(stream),
      m_clock(clock),
      m_time_limit_ms(time_limit_ms) {}

std::vector<Sample> GpuSampler::take(int count) {
  const int together = m_flush_buffer != nullptr ? 1 : count;
  std::vector<Sample> samples;
  for (int taken = 0; taken < count; taken += together) take_queued(together, samples);
  return samples;
}

void GpuSampler::take_queued(int count, std::vector<Sample>& samples) {
  const auto size = static_cast<std::size_t>(count);
  if (m_intervals.size() < size) m_intervals.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    m_restore();
    if (m_flush_buffer != nullptr) m_kernels.flush(*m_flush_buffer);
    m_intervals[i].start.record(m_stream);
    m_launch();
    m_intervals[i].stop.record(m_stream);
  }
  for (std::size_t i = 0; i < size; ++i) {
    wait_for(m_intervals[i].stop, m_time_limit_ms * m_launches);
    samples.push_back({elapsed_ms(m_intervals[i].start, m_intervals[i].stop) / m_launches,
                       m_clock.sm_clock_mhz()});
  }
}

}  // namespace gtune
