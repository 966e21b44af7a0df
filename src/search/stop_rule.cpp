#include "search/stop_rule.hpp"

#include <algorithm>

namespace gtune {
namespace {

// Chosen on recorded spaces: docs/search.md.
constexpr double negligible_gain = 0.0005;
constexpr double negligible_doubted_gain = 0.005;
constexpr std::size_t calm_results = 20;
constexpr double notable_improvement = 0.005;
constexpr std::size_t fewest_since = 10;  // results since the last notable improvement

std::size_t varying_parameters(const SearchSpace& space) {
  const auto varies = [](const Dimension& dimension) { return dimension.values.size() > 1; };
  return static_cast<std::size_t>(
      std::count_if(space.dimensions().begin(), space.dimensions().end(), varies));
}

}  // namespace

StopRule::StopRule(const SearchSpace& space)
    : m_space_size(space.size()),
      m_fewest_told(std::max(fewest_told, told_per_parameter * varying_parameters(space))) {}

void StopRule::tell(std::optional<double> cost, std::optional<ExpectedGain> expected) {
  ++m_told;
  if (cost && (!m_best || *cost < *m_best * (1 - notable_improvement))) {
    m_best = cost;
    m_improved = m_told;
  }
  m_expected = expected;
  const bool is_calm =
      expected && expected->gain < negligible_gain && expected->doubted < negligible_doubted_gain;
  m_calm = is_calm ? m_calm + 1 : 0;
}

bool StopRule::is_over_after(std::size_t results) const {
  const std::size_t told = m_told + results;
  const std::size_t calm = m_calm > 0 ? m_calm + results : 0;
  return told >= m_fewest_told && 2 * told < m_space_size && calm >= calm_results &&
         told - m_improved >= m_improved / 2 + fewest_since;
}

}  // namespace gtune
