#include "measure/gpu_sampler.hpp"

#include <utility>

#include "measure/wait.hpp"

namespace gtune {
namespace {

/// More than the host needs to queue a launch and two events.
constexpr double queueing_us = 15;

}  // namespace

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
  std::vector<Sample> samples;
  for (int i = 0; i < count; ++i) {
    m_restore();
    if (m_flush_buffer != nullptr) {
      m_kernels.flush(*m_flush_buffer);
    } else {
      m_kernels.delay(queueing_us * m_launches);
    }
    m_start.record(m_stream);
    m_launch();
    m_stop.record(m_stream);
    wait_for(m_stop, m_time_limit_ms * m_launches);
    samples.push_back({elapsed_ms(m_start, m_stop) / m_launches, m_clock.sm_clock_mhz()});
  }
  return samples;
}

}  // namespace gtune
