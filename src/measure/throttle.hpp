#pragma once

#include <optional>

namespace gtune {

struct ThrottleOptions {
  double tolerance = 0.05;  // share of the reference clock that a sample may lack
  int max_repeats = 10;     // samples thrown away per configuration
};

/// Decides which samples were taken at too low a clock and are to be repeated.
///
/// One filter serves a device for many configurations. A device that is held down, by its
/// power limit or by heat, never reaches its maximum: once a configuration has used up its
/// repeats, the best clock seen in it becomes the reference for the next, until a higher
/// clock is seen again.
class ThrottleFilter {
 public:
  /// 0 MHz: unknown, nothing is ever repeated.
  explicit ThrottleFilter(double max_clock_mhz, ThrottleOptions options = {});

  /// To be called before the first sample of each configuration.
  void begin_configuration();
  /// Whether the sample taken at this clock is to be thrown away and taken again. A sample
  /// without a clock is kept.
  [[nodiscard]] bool should_repeat(std::optional<double> clock_mhz);
  /// Samples thrown away for this configuration.
  [[nodiscard]] int repeated() const { return m_repeated; }

 private:
  double m_reference_mhz;
  double m_highest_mhz = 0;  // in this configuration
  int m_repeated = 0;
  ThrottleOptions m_options;
};

}  // namespace gtune
