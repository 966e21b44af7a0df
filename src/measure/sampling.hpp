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

/// A source of samples: a GPU or a recording.
class SampleSource {
 public:
  virtual ~SampleSource() = default;
  /// Returns fewer than `count` samples only at the end of a recording.
  virtual std::vector<Sample> take(int count) = 0;
};

/// Samples until the stopping rule is satisfied, the sample budget is exhausted, or the kernel is
/// clearly slower than `best_ms`. Throttled samples are repeated. Absent if the source has no
/// sample at all.
[[nodiscard]] std::optional<Timing> take_samples(SampleSource& source,
                                                 const SamplingOptions& options,
                                                 std::optional<double> best_ms,
                                                 ThrottleFilter& throttle);

}  // namespace gtune
