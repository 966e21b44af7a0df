#pragma once

#include <optional>

namespace gtune {

struct ThrottleOptions {
  double tolerance = 0.05;  // how far a sample's clock may be below the reference, as a share
  int max_repeats = 10;     // discarded samples per configuration
};

/// Decides which samples were taken at too low a clock and must be repeated.
///
/// One filter serves a device for many configurations. A device that is limited by power or heat
/// never reaches its maximum clock. Once a configuration has used up its repeats, its highest clock
/// becomes the reference for the next one, until a higher clock is seen.
class ThrottleFilter {
 public:
  /// 0 MHz means unknown: nothing is repeated.
  explicit ThrottleFilter(double max_clock_mhz, ThrottleOptions options = {});

  /// Must be called before the first sample of each configuration.
  void begin_configuration();
  /// Whether a sample at this clock must be discarded and repeated; false without a clock.
  [[nodiscard]] bool should_repeat(std::optional<double> clock_mhz);
  /// The number of discarded samples of this configuration.
  [[nodiscard]] int repeated() const { return m_repeated; }

 private:
  double m_reference_mhz;
  double m_highest_mhz = 0;  // in this configuration
  int m_repeated = 0;
  ThrottleOptions m_options;
};

}  // namespace gtune
