#pragma once

#include <span>
#include <vector>

#include "model/measurement.hpp"

namespace gtune {

struct ConfidenceInterval {
  double low = 0;
  double high = 0;
};

/// Fewest samples that allow a 95 % interval of the median: five values all lie on one side of the
/// true median in 2/32 > 5 % of cases.
inline constexpr std::size_t fewest_for_interval = 6;

/// All of these throw std::invalid_argument if there are no samples.
[[nodiscard]] double mean(std::span<const double> samples);
[[nodiscard]] double median(std::span<const double> samples);
/// `share`: 0 to 1. Interpolates linearly between the two nearest samples.
[[nodiscard]] double percentile(std::span<const double> samples, double share);
/// 95 % confidence interval of the median, for any distribution. With fewer than
/// fewest_for_interval samples it spans all of them, at a lower confidence.
[[nodiscard]] ConfidenceInterval median_interval(std::span<const double> samples);
/// Half the width of median_interval, relative to the median.
[[nodiscard]] double relative_half_width(std::span<const double> samples);

/// The samples and their statistics; the caller sets clocks and flags.
[[nodiscard]] Timing summarise(std::vector<double> samples_ms);

}  // namespace gtune
