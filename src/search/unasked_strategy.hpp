#pragma once

#include <cmath>
#include <optional>

#include "search/random.hpp"
#include "search/strategy.hpp"
#include "search/unasked.hpp"

namespace gtune {

/// Base of strategies that choose among the configurations not given yet. It tracks these and turns
/// costs into logarithms, since times differ by factors.
class UnaskedStrategy : public Strategy {
 public:
  UnaskedStrategy(const SearchSpace& space, std::uint64_t seed)
      : m_space(space), m_random(seed), m_unasked(space.size()) {}

  std::optional<std::size_t> ask() final {
    if (m_unasked.empty()) return std::nullopt;
    const std::size_t index = choose();
    take(index);
    return index;
  }
  void take(std::size_t index) override { m_unasked.take(index); }
  void tell(std::size_t index, std::optional<double> cost) final {
    const bool ran = cost && std::isfinite(*cost) && *cost > 0;
    learn(index, ran ? std::optional(std::log(*cost)) : std::nullopt);
  }

 protected:
  /// Returns an unasked configuration; at least one exists.
  [[nodiscard]] virtual std::size_t choose() = 0;
  /// `log_cost`: absent if it failed.
  virtual void learn(std::size_t index, std::optional<double> log_cost) = 0;

  const SearchSpace& m_space;
  Random m_random;
  Unasked m_unasked;
};

}  // namespace gtune
