#include "search/random_strategy.hpp"

namespace gtune {

std::optional<std::size_t> RandomStrategy::ask() {
  if (m_unasked.empty()) return std::nullopt;
  const std::size_t index = m_unasked.draw(m_random);
  m_unasked.take(index);
  return index;
}

}  // namespace gtune
