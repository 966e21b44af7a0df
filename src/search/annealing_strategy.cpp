#include "search/annealing_strategy.hpp"

#include "search/nearest_unasked.hpp"

namespace gtune {

std::size_t AnnealingStrategy::choose() {
  if (!m_current) return m_unasked.draw(m_random);
  const auto neighbour = random_unasked_neighbour(m_space, m_unasked, m_current->index, m_random);
  if (neighbour) return *neighbour;
  return nearest_unasked(m_space, m_unasked, m_space.coordinates(m_current->index), m_random);
}

void AnnealingStrategy::learn(std::size_t index, std::optional<double> log_cost) {
  // A walk cools in about 120 evaluations, so that a few walks fit into a usual budget.
  constexpr double cooling = 0.96;
  constexpr double cold = 0.004;
  if (!log_cost) return;
  const double worse = m_current ? *log_cost - m_current->log_cost : 0;
  if (worse <= 0 || m_random.unit() < std::exp(-worse / m_temperature)) {
    m_current = {index, *log_cost};
  }
  m_temperature *= cooling;
  if (m_temperature < cold) {
    m_temperature = hot;
    m_current.reset();
  }
}

}  // namespace gtune
