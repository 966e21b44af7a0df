#pragma once

#include <unordered_map>

#include "search/population.hpp"
#include "search/unasked_strategy.hpp"

namespace gtune {

/// Differential evolution, rand/1/bin (R. Storn, K. Price, Differential Evolution - A Simple and
/// Efficient Heuristic for Global Optimization over Continuous Spaces, 1997), on positions in the
/// parameters' lists, with a scale drawn anew for each child (S. Das, A. Konar, U. Chakraborty,
/// 2005). Members are replaced as soon as a better child is told. A population that has converged
/// restarts with its best member.
class DifferentialEvolutionStrategy : public UnaskedStrategy {
 public:
  static constexpr std::string_view strategy_name = "differential-evolution";
  using UnaskedStrategy::UnaskedStrategy;

  [[nodiscard]] std::string_view name() const override { return strategy_name; }

 private:
  [[nodiscard]] std::size_t choose() override;
  void learn(std::size_t index, std::optional<double> log_cost) override;
  [[nodiscard]] std::vector<double> child_of(std::size_t slot);
  void restart_if_closed();

  Population m_population;
  std::size_t m_next = 0;                                 // slot
  std::size_t m_since_improvement = 0;                    // tells
  std::unordered_map<std::size_t, std::size_t> m_target;  // slot by pending index
};

}  // namespace gtune
