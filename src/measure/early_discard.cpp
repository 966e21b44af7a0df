#include "measure/early_discard.hpp"

#include <algorithm>

namespace gtune {

bool EarlyDiscard::clearly_slower(std::span<const double> samples_ms) const {
  if (!m_best_median_ms || samples_ms.empty() || samples_ms.size() < m_options.after) return false;
  const double fastest = *std::min_element(samples_ms.begin(), samples_ms.end());
  return fastest > *m_best_median_ms * (1 + m_options.margin);
}

}  // namespace gtune
