#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace gtune {

/// Seeded numbers that are the same everywhere: the standard's generator is specified to the
/// bit, but its distributions are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : m_generator(seed) {}

  /// Uniform in 0..1, 1 excluded.
  double unit() { return static_cast<double>(m_generator() >> 11) * 0x1p-53; }
  /// Uniform in 0..count-1; count must not be 0.
  std::size_t below(std::size_t count) {
    // Values under the remainder of 2^64 / count would be drawn once too often.
    const std::uint64_t uneven = (0 - std::uint64_t{count}) % count;
    std::uint64_t value = m_generator();
    while (value < uneven) value = m_generator();
    return value % count;
  }

 private:
  std::mt19937_64 m_generator;
};

}  // namespace gtune
