#include "search/particle_swarm_strategy.hpp"

#include <algorithm>

#include "search/nearest_unasked.hpp"

namespace gtune {

ParticleSwarmStrategy::ParticleSwarmStrategy(const SearchSpace& space, std::uint64_t seed)
    : UnaskedStrategy(space, seed), m_particles(Population::size) {
  scatter();
}

/// Puts every particle at a random place, at rest, and forgets what was found.
void ParticleSwarmStrategy::scatter() {
  m_found = {};
  m_particle.clear();
  m_since_improvement = 0;
  for (Particle& particle : m_particles) {
    particle.place.clear();
    if (m_space.size() == 0) continue;
    const auto row = m_space.coordinates(m_random.below(m_space.size()));
    particle.place.assign(row.begin(), row.end());
    particle.velocity.assign(row.size(), 0.0);
  }
}

std::size_t ParticleSwarmStrategy::choose() {
  const std::size_t which = m_next++ % Population::size;
  fly(which);
  const std::size_t index = nearest_unasked(m_space, m_unasked, m_particles[which].place, m_random);
  m_particle[index] = which;
  return index;
}

void ParticleSwarmStrategy::fly(std::size_t which) {
  constexpr double inertia = 0.7298;
  constexpr double pull = 1.49618;
  Particle& particle = m_particles[which];
  const Member& own = m_found.at(which);
  const Member& ring = best_in_ring(which);
  for (std::size_t d = 0; d < particle.place.size(); ++d) {
    double velocity = inertia * particle.velocity[d];
    for (const Member* towards : {&own, &ring}) {
      if (towards->row.empty()) continue;
      velocity += pull * m_random.unit() * (towards->row[d] - particle.place[d]);
    }
    const auto last = static_cast<double>(m_space.dimensions()[d].values.size() - 1);
    particle.velocity[d] = std::clamp(velocity, -last / 2, last / 2);
    particle.place[d] = std::clamp(particle.place[d] + particle.velocity[d], 0.0, last);
  }
}

const Member& ParticleSwarmStrategy::best_in_ring(std::size_t which) const {
  const Member* best = &m_found.at(which);
  for (const std::size_t step : {std::size_t{1}, Population::size - 1}) {
    const Member& beside = m_found.at((which + step) % Population::size);
    if (beside.log_cost < best->log_cost) best = &beside;
  }
  return *best;
}

void ParticleSwarmStrategy::learn(std::size_t index, std::optional<double> log_cost) {
  const auto pending = m_particle.find(index);
  const std::size_t which = pending == m_particle.end() ? m_found.worst() : pending->second;
  if (pending != m_particle.end()) m_particle.erase(pending);
  ++m_since_improvement;
  if (log_cost && m_found.improve(which, m_space.coordinates(index), *log_cost)) {
    m_since_improvement = 0;
  }
  if (m_since_improvement >= 3 * Population::size) scatter();
}

}  // namespace gtune
