#include "model/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace gtune {

namespace {

std::vector<double> sorted(std::span<const double> samples) {
  if (samples.empty()) throw std::invalid_argument("no samples");
  std::vector<double> values(samples.begin(), samples.end());
  std::sort(values.begin(), values.end());
  return values;
}

double percentile_of_sorted(const std::vector<double>& values, double share) {
  const double position = std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const auto above = std::min(below + 1, values.size() - 1);
  const double part = position - static_cast<double>(below);
  return values[below] + part * (values[above] - values[below]);
}

/// The largest k with P(Binomial(n, 1/2) < k + 1) <= 2.5 %. The interval goes from the k-th value
/// to the k-th from the end, counted from 0. For every continuous distribution, the number of
/// samples below the true median is binomial.
std::size_t interval_rank(std::size_t n) {
  // In logarithms, because 2^-n underflows for large n.
  double log_probability = static_cast<double>(n) * std::log(0.5);
  double cumulative = std::exp(log_probability);
  std::size_t rank = 0;
  while (true) {
    const auto i = static_cast<double>(rank);
    log_probability += std::log((static_cast<double>(n) - i) / (i + 1));
    cumulative += std::exp(log_probability);
    if (cumulative > 0.025) return rank;
    ++rank;
  }
}

ConfidenceInterval interval_of_sorted(const std::vector<double>& values) {
  if (values.size() < fewest_for_interval) return {values.front(), values.back()};
  const std::size_t rank = interval_rank(values.size());
  return {values[rank], values[values.size() - 1 - rank]};
}

}  // namespace

double mean(std::span<const double> samples) {
  if (samples.empty()) throw std::invalid_argument("no samples");
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double median(std::span<const double> samples) { return percentile(samples, 0.5); }

double percentile(std::span<const double> samples, double share) {
  return percentile_of_sorted(sorted(samples), share);
}

ConfidenceInterval median_interval(std::span<const double> samples) {
  return interval_of_sorted(sorted(samples));
}

double relative_half_width(std::span<const double> samples) {
  const std::vector<double> values = sorted(samples);
  const ConfidenceInterval interval = interval_of_sorted(values);
  const double width = interval.high - interval.low;
  // Identical samples have no spread, even if a coarse timer made all of them zero.
  return width == 0 ? 0 : width / 2 / percentile_of_sorted(values, 0.5);
}

Timing summarise(std::vector<double> samples_ms) {
  const std::vector<double> values = sorted(samples_ms);
  const ConfidenceInterval interval = interval_of_sorted(values);
  Timing timing;
  timing.samples_ms = std::move(samples_ms);
  timing.median_ms = percentile_of_sorted(values, 0.5);
  timing.min_ms = values.front();
  timing.p95_ms = percentile_of_sorted(values, 0.95);
  timing.mean_ms = mean(values);
  timing.ci_low_ms = interval.low;
  timing.ci_high_ms = interval.high;
  return timing;
}

}  // namespace gtune
