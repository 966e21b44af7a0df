#pragma once

#include "search/unasked_strategy.hpp"

namespace gtune {

/// Simulated annealing (S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, Optimization by Simulated
/// Annealing, 1983): a walk over neighbours that takes steps to slower configurations with a
/// probability that falls with the temperature. Temperatures are shares of the cost. A cold walk
/// restarts hot, elsewhere.
class AnnealingStrategy : public UnaskedStrategy {
 public:
  static constexpr std::string_view strategy_name = "annealing";
  using UnaskedStrategy::UnaskedStrategy;

  [[nodiscard]] std::string_view name() const override { return strategy_name; }

 private:
  struct Place {
    std::size_t index;
    double log_cost;
  };

  [[nodiscard]] std::size_t choose() override;
  void learn(std::size_t index, std::optional<double> log_cost) override;

  static constexpr double hot = 0.5;

  std::optional<Place> m_current;
  double m_temperature = hot;
};

}  // namespace gtune
