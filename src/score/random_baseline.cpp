#include "score/random_baseline.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace gtune {
namespace {

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

RandomBaseline::RandomBaseline(const RecordedSpace& recorded)
    : m_median_evaluation_ms(median_of(recorded.evaluation_ms)) {
  for (const auto& cost : recorded.costs_ms) {
    if (cost) m_descending.push_back(*cost);
  }
  std::sort(m_descending.begin(), m_descending.end(), std::greater<>());
  m_median = median_of(m_descending);
  // Without recorded evaluation times, each evaluation counts the same.
  if (!(m_median_evaluation_ms > 0)) m_median_evaluation_ms = 1;
}

double RandomBaseline::best_after(double evaluations) const {
  const auto count = static_cast<double>(m_descending.size());
  const double rank = std::round(evaluations * (count + 1) / (evaluations + 1));
  return m_descending[static_cast<std::size_t>(std::clamp(rank, 0.0, count - 1))];
}

double RandomBaseline::evaluations_until(double progress) const {
  const double optimum = m_descending.back();
  const double target = optimum + (m_median - optimum) * (1 - progress);
  const auto reached = std::find_if(m_descending.begin(), m_descending.end(),
                                    [&](double cost) { return cost <= target; });
  const auto i = static_cast<double>(reached - m_descending.begin());
  return std::ceil(i / (static_cast<double>(m_descending.size()) + 1 - i));
}

std::vector<double> RandomBaseline::moments() const {
  constexpr int count = 500;
  const double first = evaluations_until(0.01) * m_median_evaluation_ms;
  const double last = evaluations_until(0.95) * m_median_evaluation_ms;
  std::vector<double> moments;
  for (int i = 0; i < count; ++i) moments.push_back(first + (last - first) * i / (count - 1));
  return moments;
}

double RandomBaseline::score(const std::vector<double>& best) const {
  const double optimum = m_descending.back();
  const std::vector<double> at = moments();
  double sum = 0;
  std::size_t counted = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double random = best_after(at[i] / m_median_evaluation_ms);
    // Random search has reached the optimum, or nothing ran until this moment.
    if (random <= optimum || !std::isfinite(best[i])) continue;
    sum += (random - best[i]) / (random - optimum);
    ++counted;
  }
  return counted == 0 ? 0 : sum / static_cast<double>(counted);
}

}  // namespace gtune
