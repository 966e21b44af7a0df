#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace gtune {

struct DiscardOptions {
  std::size_t after = 3;  // samples
  double margin = 0.10;   // above the best median
};

/// Decides whether a configuration is so slow that its exact time does not matter.
///
/// The fastest sample decides: interrupts, clocks and other load only add time, so one undisturbed
/// sample saves a configuration, and noise cannot lose a winner. The margin covers other errors,
/// such as a best median that happened to be measured too low.
class EarlyDiscard {
 public:
  /// Without a best time, nothing is discarded.
  explicit EarlyDiscard(std::optional<double> best_median_ms, DiscardOptions options = {})
      : m_best_median_ms(best_median_ms), m_options(options) {}

  [[nodiscard]] bool clearly_slower(std::span<const double> samples_ms) const;

 private:
  std::optional<double> m_best_median_ms;
  DiscardOptions m_options;
};

}  // namespace gtune
