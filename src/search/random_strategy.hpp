#pragma once

#include "search/random.hpp"
#include "search/strategy.hpp"
#include "search/unasked.hpp"

namespace gtune {

/// Uniformly random, without replacement: what every other strategy has to beat.
class RandomStrategy : public Strategy {
 public:
  static constexpr std::string_view strategy_name = "random";

  RandomStrategy(const SearchSpace& space, std::uint64_t seed)
      : m_random(seed), m_unasked(space.size()) {}

  [[nodiscard]] std::string_view name() const override { return strategy_name; }
  std::optional<std::size_t> ask() override;
  void take(std::size_t index) override { m_unasked.take(index); }
  void tell(std::size_t, std::optional<double>) override {}

 private:
  Random m_random;
  Unasked m_unasked;
};

}  // namespace gtune
