#pragma once

#include <unordered_set>

#include "search/strategy.hpp"

namespace gtune {

/// Asks for every configuration. It strides through the space, so that an interrupted run has seen
/// all regions evenly; the seed determines the start.
class ExhaustiveStrategy : public Strategy {
 public:
  static constexpr std::string_view strategy_name = "exhaustive";

  ExhaustiveStrategy(const SearchSpace& space, std::uint64_t seed);

  [[nodiscard]] std::string_view name() const override { return strategy_name; }
  std::optional<std::size_t> ask() override;
  void take(std::size_t index) override { m_taken.insert(index); }
  void tell(std::size_t, std::optional<double>) override {}

 private:
  std::size_t m_size;
  std::size_t m_stride = 1;
  std::size_t m_next = 0;
  std::size_t m_asked = 0;
  std::unordered_set<std::size_t> m_taken;
};

}  // namespace gtune
