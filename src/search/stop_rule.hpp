#pragma once

#include <cstddef>
#include <optional>

#include "search/strategy.hpp"
#include "space/search_space.hpp"

namespace gtune {

/// Decides when a search has converged: its strategy has expected almost no gain for a while, and
/// since the best time last fell notably, at least half as many configurations were told as before.
/// A model of many parameters needs more results before its expectations mean anything (J. L.
/// Loeppky, J. Sacks, W. J. Welch, Choosing the Sample Size of a Computer Experiment, 2009: ten for
/// each). A known winner of the same problem makes the search depend less on the model. A search
/// without a model of the costs never converges, nor does one that has measured half of the space:
/// measuring the rest takes little longer and leaves no doubt.
class StopRule {
 public:
  explicit StopRule(const SearchSpace& space);

  /// The search begins with a configuration that has won on the same problem.
  void know_winner() { m_fewest_told = fewest_told; }

  /// After each configuration that a strategy was told. `cost`: its ms; absent if it failed.
  /// `expected`: the strategy's gain, after that.
  void tell(std::optional<double> cost, std::optional<ExpectedGain> expected);

  [[nodiscard]] bool is_over() const { return is_over_after(0); }
  /// Whether it will be over if `results` more are told that change no expectation.
  [[nodiscard]] bool is_over_after(std::size_t results) const;
  /// The gain expected last.
  [[nodiscard]] std::optional<ExpectedGain> expected_gain() const { return m_expected; }

  static constexpr std::size_t fewest_told = 60;
  static constexpr std::size_t told_per_parameter = 8;

 private:
  std::size_t m_space_size;
  std::size_t m_fewest_told;
  std::size_t m_told = 0;
  std::size_t m_improved = 0;  // how many had been told when the best time last fell notably
  std::size_t m_calm = 0;      // told in a row with almost no expected gain
  std::optional<double> m_best;
  std::optional<ExpectedGain> m_expected;
};

}  // namespace gtune
