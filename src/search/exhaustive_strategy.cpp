#include "search/exhaustive_strategy.hpp"

#include <numeric>

#include "search/random.hpp"

namespace gtune {

ExhaustiveStrategy::ExhaustiveStrategy(const SearchSpace& space, std::uint64_t seed)
    : m_size(space.size()) {
  if (m_size < 2) return;
  // Multiples of the golden ratio fill a circle evenly at every moment; a stride coprime to the
  // size visits every index once.
  m_stride = static_cast<std::size_t>(static_cast<double>(m_size) * 0.6180339887498949);
  while (std::gcd(m_stride, m_size) != 1) ++m_stride;
  m_next = Random(seed).below(m_size);
}

std::optional<std::size_t> ExhaustiveStrategy::ask() {
  while (m_asked < m_size) {
    ++m_asked;
    const std::size_t index = m_next;
    m_next = (m_next + m_stride) % m_size;
    if (!m_taken.contains(index)) return index;
  }
  return std::nullopt;
}

}  // namespace gtune
