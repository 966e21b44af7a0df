#pragma once

#include "search/population.hpp"
#include "search/unasked_strategy.hpp"

namespace gtune {

/// A steady-state genetic algorithm (D. Whitley, The GENITOR Algorithm and Selection Pressure,
/// 1989): two parents by tournament, uniform crossover (G. Syswerda, 1989), a mutation per
/// parameter with probability 1 / parameters. A child that is better than the worst member replaces
/// it. Now and then a random immigrant keeps the population from converging.
class GeneticStrategy : public UnaskedStrategy {
 public:
  static constexpr std::string_view strategy_name = "genetic";
  using UnaskedStrategy::UnaskedStrategy;

  [[nodiscard]] std::string_view name() const override { return strategy_name; }

 private:
  [[nodiscard]] std::size_t choose() override;
  void learn(std::size_t index, std::optional<double> log_cost) override;
  [[nodiscard]] const Member& parent();

  Population m_population;
};

}  // namespace gtune
