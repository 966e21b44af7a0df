#pragma once

#include <cstdint>

#include "model/operation.hpp"

namespace gtune {

/// Whether an evaluation fails (divides by zero, overflows).
enum class Fails : std::uint8_t { never, maybe, always };

/// Bounds of a value of which only bounds of its operands are known. Never too narrow.
struct Interval {
  std::int64_t low = 0;
  std::int64_t high = 0;
  Fails fails = Fails::never;

  [[nodiscard]] static constexpr Interval point(std::int64_t value) { return {value, value}; }
  [[nodiscard]] constexpr bool is_point() const { return low == high && fails == Fails::never; }
  /// As a condition: cannot hold, whatever the operands are.
  [[nodiscard]] constexpr bool excluded() const {
    return fails == Fails::always || (low == 0 && high == 0);
  }
};

/// The operation on intervals: contains its value for every choice from the operands.
[[nodiscard]] Interval apply(Operation operation, const Interval& a, const Interval& b,
                             const Interval& c);

}  // namespace gtune
