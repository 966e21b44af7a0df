#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "search/random.hpp"

namespace gtune {

/// The indices of a space that have not been given out; taking and drawing are O(1).
class Unasked {
 public:
  explicit Unasked(std::size_t size) : m_left(size), m_position(size) {
    std::iota(m_left.begin(), m_left.end(), std::uint32_t{0});
    std::iota(m_position.begin(), m_position.end(), std::uint32_t{0});
  }

  [[nodiscard]] bool empty() const { return m_left.empty(); }
  [[nodiscard]] std::size_t size() const { return m_left.size(); }
  [[nodiscard]] bool contains(std::size_t index) const { return m_position[index] != taken; }
  /// The index at a position, in no particular order.
  [[nodiscard]] std::size_t at(std::size_t position) const { return m_left[position]; }
  /// One at random, without taking it; there must be one.
  [[nodiscard]] std::size_t draw(Random& random) const {
    return m_left[random.below(m_left.size())];
  }
  /// The index must be contained.
  void take(std::size_t index) {
    const std::uint32_t position = m_position[index];
    const std::uint32_t last = m_left.back();
    m_left[position] = last;
    m_position[last] = position;
    m_position[index] = taken;
    m_left.pop_back();
  }

 private:
  static constexpr std::uint32_t taken = UINT32_MAX;

  std::vector<std::uint32_t> m_left;
  std::vector<std::uint32_t> m_position;  // in m_left, by index
};

}  // namespace gtune
