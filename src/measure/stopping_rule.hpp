#pragma once

#include <vector>

namespace gtune {

struct SamplingOptions {
  int first_batch = 3;  // taken before any decision; early discarding uses these
  int min_samples = 7;
  int max_samples = 50;
  double max_seconds = 1.0;         // sum of the samples
  double target_half_width = 0.01;  // of the median's 95 % interval, relative to the median
};

/// Decides when a kernel's median is known precisely enough.
class StoppingRule {
 public:
  enum class Verdict {
    more,
    converged,  // the interval is narrow enough
    limit,      // samples or time are exhausted; takes precedence over min_samples
  };

  explicit StoppingRule(SamplingOptions options = {});

  /// Adds a sample in milliseconds.
  void add(double sample_ms);
  [[nodiscard]] Verdict verdict() const;
  /// How many samples to take before the next verdict; 0 unless the verdict is `more`. Grows with
  /// the number of samples, since more are then needed to change the verdict.
  [[nodiscard]] int batch_size() const;
  [[nodiscard]] const std::vector<double>& samples() const { return m_samples; }

 private:
  SamplingOptions m_options;
  std::vector<double> m_samples;
  double m_total_ms = 0;
};

}  // namespace gtune
