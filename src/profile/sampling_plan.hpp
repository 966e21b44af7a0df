#pragma once

#include <cstdint>

namespace gtune {

/// How to sample a kernel: enough for its lines, not more than CUPTI's buffers hold.
struct SamplingPlan {
  unsigned period_log2 = 0;  // in cycles
  int launches = 1;

  [[nodiscard]] std::int64_t period_cycles() const { return std::int64_t{1} << period_log2; }
};

/// `launch_ms`: the time of one launch.
[[nodiscard]] SamplingPlan plan_sampling(double launch_ms);

}  // namespace gtune
