#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "space/search_space.hpp"

namespace gtune {

/// A slot of a population; without a configuration until one ran.
struct Member {
  std::vector<std::uint16_t> row;
  double log_cost = INFINITY;
};

/// The members of evolutionary strategies.
class Population {
 public:
  /// Enough to combine, few enough for a budget of some hundred evaluations.
  static constexpr std::size_t size = 20;

  Population() : m_members(size) {}

  [[nodiscard]] const Member& at(std::size_t slot) const { return m_members[slot]; }
  [[nodiscard]] std::size_t best() const;
  [[nodiscard]] std::size_t worst() const;
  /// Whether every member has a configuration.
  [[nodiscard]] bool complete() const { return std::isfinite(m_members[worst()].log_cost); }
  /// Puts the configuration into the slot if it is faster than the member there; returns whether.
  bool improve(std::size_t slot, std::span<const std::uint16_t> row, double log_cost);

 private:
  std::vector<Member> m_members;
};

}  // namespace gtune
