#include "search/differential_evolution_strategy.hpp"

#include "search/nearest_unasked.hpp"

namespace gtune {

std::size_t DifferentialEvolutionStrategy::choose() {
  const std::size_t slot = m_next++ % Population::size;
  const std::size_t index = m_population.complete()
                                ? nearest_unasked(m_space, m_unasked, child_of(slot), m_random)
                                : m_unasked.draw(m_random);
  if (m_population.complete()) m_target[index] = slot;
  return index;
}

std::vector<double> DifferentialEvolutionStrategy::child_of(std::size_t slot) {
  constexpr double crossover = 0.9;
  const double scale = 0.5 + 0.5 * m_random.unit();
  const auto other = [&] {
    const std::size_t drawn = m_random.below(Population::size - 1);
    return m_population.at(drawn + (drawn >= slot ? 1 : 0));
  };
  const Member base = other();
  const Member plus = other();
  const Member minus = other();
  const auto& own = m_population.at(slot).row;
  std::vector<double> child(own.begin(), own.end());
  const std::size_t always = m_random.below(child.size());
  for (std::size_t d = 0; d < child.size(); ++d) {
    if (d != always && m_random.unit() >= crossover) continue;
    child[d] = base.row[d] + scale * (static_cast<double>(plus.row[d]) - minus.row[d]);
  }
  return child;
}

void DifferentialEvolutionStrategy::learn(std::size_t index, std::optional<double> log_cost) {
  const auto target = m_target.find(index);
  // The first configurations, and those chosen elsewhere, compete with the worst member.
  const std::size_t slot = target == m_target.end() ? m_population.worst() : target->second;
  if (target != m_target.end()) m_target.erase(target);
  ++m_since_improvement;
  if (log_cost && m_population.improve(slot, m_space.coordinates(index), *log_cost)) {
    m_since_improvement = 0;
  }
  restart_if_closed();
}

/// Restarts once differences between members have become too small to lead anywhere.
void DifferentialEvolutionStrategy::restart_if_closed() {
  if (m_since_improvement < 3 * Population::size || !m_population.complete()) return;
  const Member best = m_population.at(m_population.best());
  m_population = {};
  m_population.improve(0, best.row, best.log_cost);
  m_target.clear();
  m_since_improvement = 0;
}

}  // namespace gtune
