#pragma once

#include <unordered_map>

#include "search/population.hpp"
#include "search/unasked_strategy.hpp"

namespace gtune {

/// Particle swarm optimisation with a constriction (M. Clerc, J. Kennedy, The Particle Swarm -
/// Explosion, Stability, and Convergence in a Multidimensional Complex Space, 2002) and a ring of
/// neighbours (J. Kennedy, R. Mendes, 2002), on positions in the parameters' lists. The population
/// holds the best that each particle found. A swarm that no longer improves is scattered and
/// restarts.
class ParticleSwarmStrategy : public UnaskedStrategy {
 public:
  static constexpr std::string_view strategy_name = "particle-swarm";
  ParticleSwarmStrategy(const SearchSpace& space, std::uint64_t seed);

  [[nodiscard]] std::string_view name() const override { return strategy_name; }

 private:
  struct Particle {
    std::vector<double> place;
    std::vector<double> velocity;
  };

  [[nodiscard]] std::size_t choose() override;
  void learn(std::size_t index, std::optional<double> log_cost) override;
  void scatter();
  void fly(std::size_t which);
  [[nodiscard]] const Member& best_in_ring(std::size_t which) const;

  Population m_found;
  std::vector<Particle> m_particles;
  std::size_t m_next = 0;
  std::size_t m_since_improvement = 0;                      // tells
  std::unordered_map<std::size_t, std::size_t> m_particle;  // by pending index
};

}  // namespace gtune
