#pragma once

#include <functional>
#include <vector>

#include "gpu/buffer.hpp"
#include "gpu/nvml.hpp"
#include "gpu/stream.hpp"
#include "gpu/support_kernels.hpp"
#include "measure/sampling.hpp"

namespace gtune {

/// Times one kernel on the device: per sample what it has to find, then an L2 flush, if asked for,
/// then the launch between two events. The host waits for a sample before it queues the next: of
/// three or more queued together the first ones take up to 0.8 us longer on an H200
/// (bench/queue_depth.cu), and what is queued during a flush is there in time. Without a flush,
/// samples of one call are queued together, or the device would wait for the launch after the
/// event.
class GpuSampler : public SampleSource {
 public:
  /// `launch` queues one launch, `restore` what makes its data as before the first one;
  /// `flush_buffer` may be null: then L2 stays warm.
  GpuSampler(std::function<void()> restore, std::function<void()> launch,
             const DeviceBuffer* flush_buffer, SupportKernels& kernels, const Stream& stream,
             const ClockMonitor& clock, double time_limit_ms);

  std::vector<Sample> take(int count) override;

 private:
  struct Interval {
    Event start;
    Event stop;
  };

  void take_queued(int count, std::vector<Sample>& samples);

  std::function<void()> m_restore;
  std::function<void()> m_launch;
  const DeviceBuffer* m_flush_buffer;
  SupportKernels& m_kernels;
  const Stream& m_stream;
  const ClockMonitor& m_clock;
  double m_time_limit_ms;
  std::vector<Interval> m_intervals;
};

}  // namespace gtune
