#pragma once

#include <vector>

namespace gtune {

struct SamplingOptions {
  int first_batch = 3;  // taken before anything is decided; early discarding looks at these
  int min_samples = 7;
  int max_samples = 50;
  double max_seconds = 1.0;         // of the samples alone
  double target_half_width = 0.01;  // of the median's 95 % interval, relative to the median
};

/// Decides after how many samples a kernel's median is known well enough.
class StoppingRule {
 public:
  enum class Verdict {
    more,
    converged,  // the interval is as narrow as asked for
    limit,      // samples or time are used up; takes precedence over min_samples
  };

  explicit StoppingRule(SamplingOptions options = {});

  /// One sample, in milliseconds.
  void add(double sample_ms);
  [[nodiscard]] Verdict verdict() const;
  /// How many samples to take before asking again; 0 unless the verdict is more. Grows with
  /// the number of samples, of which more are then needed to change the verdict.
  [[nodiscard]] int batch_size() const;
  [[nodiscard]] const std::vector<double>& samples() const { return m_samples; }

 private:
  SamplingOptions m_options;
  std::vector<double> m_samples;
  double m_total_ms = 0;
};

}  // namespace gtune
