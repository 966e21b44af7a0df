#pragma once

#include "search/unasked_strategy.hpp"

namespace gtune {

/// Uniformly random, without replacement: the baseline for every other strategy.
class RandomStrategy : public UnaskedStrategy {
 public:
  static constexpr std::string_view strategy_name = "random";
  using UnaskedStrategy::UnaskedStrategy;

  [[nodiscard]] std::string_view name() const override { return strategy_name; }

 private:
  [[nodiscard]] std::size_t choose() override { return m_unasked.draw(m_random); }
  void learn(std::size_t, std::optional<double>) override {}
};

}  // namespace gtune
