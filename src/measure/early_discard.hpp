#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace gtune {

struct DiscardOptions {
  std::size_t after = 3;  // samples
  double margin = 0.10;   // above the best median
};

/// Tells whether a configuration is so slow that its exact time does not matter.
///
/// It looks at the fastest sample: interrupts, clocks and other load only ever add time, so
/// one undisturbed sample saves a configuration, and a noisy device cannot lose a winner.
/// The margin covers what is left, as a best median that was measured in a lucky moment.
class EarlyDiscard {
 public:
  /// Without a best so far nothing is discarded.
  explicit EarlyDiscard(std::optional<double> best_median_ms, DiscardOptions options = {})
      : m_best_median_ms(best_median_ms), m_options(options) {}

  [[nodiscard]] bool clearly_slower(std::span<const double> samples_ms) const;

 private:
  std::optional<double> m_best_median_ms;
  DiscardOptions m_options;
};

}  // namespace gtune
