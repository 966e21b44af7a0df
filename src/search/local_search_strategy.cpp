#include "search/local_search_strategy.hpp"

#include <algorithm>

#include "search/nearest_unasked.hpp"

namespace gtune {

std::size_t LocalSearchStrategy::choose() {
  while (!m_steps.empty()) {
    const std::size_t index = m_steps.back();
    m_steps.pop_back();
    if (m_unasked.contains(index)) return index;
  }
  // With many outstanding, some results come too late for this climb and start the next one.
  m_current.reset();
  return start();
}

std::size_t LocalSearchStrategy::start() {
  constexpr int changes = 3;
  if (m_starts++ % 2 == 0 || !m_best) return m_unasked.draw(m_random);
  const auto best = m_space.coordinates(m_best->index);
  std::vector<std::uint16_t> row(best.begin(), best.end());
  for (int change = 0; change < changes; ++change) {
    const std::size_t d = m_random.below(row.size());
    row[d] = static_cast<std::uint16_t>(m_random.below(m_space.dimensions()[d].values.size()));
  }
  return nearest_unasked(m_space, m_unasked, row, m_random);
}

void LocalSearchStrategy::learn(std::size_t index, std::optional<double> log_cost) {
  if (!log_cost) return;
  if (!m_best || *log_cost < m_best->log_cost) m_best = {index, *log_cost};
  if (!m_current || *log_cost < m_current->log_cost) climb_to({index, *log_cost});
}

void LocalSearchStrategy::climb_to(Place place) {
  m_current = place;
  m_steps = m_space.neighbours(place.index, Neighbourhood::any);
  for (std::size_t i = m_steps.size(); i > 1; --i) {
    std::swap(m_steps[i - 1], m_steps[m_random.below(i)]);
  }
}

}  // namespace gtune
