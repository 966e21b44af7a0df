#pragma once

#include <optional>
#include <vector>

#include "measure/stopping_rule.hpp"
#include "measure/throttle.hpp"
#include "model/measurement.hpp"

namespace gtune {

struct Sample {
  double ms = 0;
  std::optional<double> sm_clock_mhz;
};

/// Where samples come from: a GPU, or a recording.
class SampleSource {
 public:
  virtual ~SampleSource() = default;
  /// Fewer than `count` only where there are no more: a recording ends.
  virtual std::vector<Sample> take(int count) = 0;
};

/// Samples until the stopping rule is content, a sample budget is used up, or the kernel turns
/// out clearly slower than `best_ms`. Throttled samples are taken again. Nothing where the source
/// has no sample at all.
[[nodiscard]] std::optional<Timing> take_samples(SampleSource& source,
                                                 const SamplingOptions& options,
                                                 std::optional<double> best_ms,
                                                 ThrottleFilter& throttle);

}  // namespace gtune
