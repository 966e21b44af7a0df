#include "search/genetic_strategy.hpp"

#include "search/nearest_unasked.hpp"

namespace gtune {

std::size_t GeneticStrategy::choose() {
  constexpr double immigrants = 0.05;
  if (!m_population.complete() || m_random.unit() < immigrants) return m_unasked.draw(m_random);
  std::vector<std::uint16_t> child = parent().row;
  const Member& other = parent();
  const double mutation = 1 / static_cast<double>(child.size());
  for (std::size_t d = 0; d < child.size(); ++d) {
    if (m_random.unit() < 0.5) child[d] = other.row[d];
    if (m_random.unit() < mutation) {
      const std::size_t values = m_space.dimensions()[d].values.size();
      child[d] = static_cast<std::uint16_t>(m_random.below(values));
    }
  }
  return nearest_unasked(m_space, m_unasked, child, m_random);
}

/// The better of two random members.
const Member& GeneticStrategy::parent() {
  const Member& a = m_population.at(m_random.below(Population::size));
  const Member& b = m_population.at(m_random.below(Population::size));
  return a.log_cost < b.log_cost ? a : b;
}

void GeneticStrategy::learn(std::size_t index, std::optional<double> log_cost) {
  if (log_cost) m_population.improve(m_population.worst(), m_space.coordinates(index), *log_cost);
}

}  // namespace gtune
