#pragma once

#include <functional>
#include <vector>

#include "gpu/buffer.hpp"
#include "gpu/nvml.hpp"
#include "gpu/stream.hpp"
#include "gpu/support_kernels.hpp"
#include "measure/sampling.hpp"

namespace gtune {

/// Times single launches of a kernel. A sample restores the kernel's data, flushes L2 if requested,
/// and launches the kernel between two events. The host waits for each sample before it queues the
/// next: if three or more are queued, the first ones take up to 0.8 us longer on an H200
/// (bench/queue_depth.cu). The flush, or else a short kernel on one SM, gives the host the time to
/// queue the launch; otherwise the device would wait for it after the first event.
class GpuSampler : public SampleSource {
 public:
  /// `launch` queues `launches` of them, on as many streams, whose joint time is divided by their
  /// number; `restore` queues copies that restore their data to the state before the first one. If
  /// `flush_buffer` is null, L2 stays warm.
  GpuSampler(std::function<void()> restore, std::function<void()> launch, int launches,
             const DeviceBuffer* flush_buffer, SupportKernels& kernels, const Stream& stream,
             const ClockMonitor& clock, double time_limit_ms);

  std::vector<Sample> take(int count) override;

 private:
  std::function<void()> m_restore;
  std::function<void()> m_launch;
  int m_launches;
  const DeviceBuffer* m_flush_buffer;
  SupportKernels& m_kernels;
  const Stream& m_stream;
  const ClockMonitor& m_clock;
  double m_time_limit_ms;
  Event m_start;
  Event m_stop;
};

}  // namespace gtune
