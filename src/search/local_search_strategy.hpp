#pragma once

#include <vector>

#include "search/unasked_strategy.hpp"

namespace gtune {

/// Hill climbing by the first improvement, over all configurations that differ in one parameter, in
/// random order. At a local optimum it restarts, alternately from a random place and from a few
/// random changes of the best (iterated local search: H. R. Lourenco, O. C. Martin, T. Stuetzle,
/// 2003).
class LocalSearchStrategy : public UnaskedStrategy {
 public:
  static constexpr std::string_view strategy_name = "local-search";
  using UnaskedStrategy::UnaskedStrategy;

  [[nodiscard]] std::string_view name() const override { return strategy_name; }

 private:
  struct Place {
    std::size_t index;
    double log_cost;
  };

  [[nodiscard]] std::size_t choose() override;
  void learn(std::size_t index, std::optional<double> log_cost) override;
  void climb_to(Place place);
  [[nodiscard]] std::size_t start();

  std::optional<Place> m_current;  // absent at the start of a climb
  std::optional<Place> m_best;
  std::vector<std::size_t> m_steps;  // neighbours of the current place, not tried yet
  std::size_t m_starts = 0;
};

}  // namespace gtune
