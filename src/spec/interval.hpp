#pragma once

#include <cstdint>

#include "model/operation.hpp"

namespace gtune {

/// Whether an evaluation fails (division by zero, overflow).
enum class Fails : std::uint8_t { never, maybe, always };

/// Bounds of a value, computed from bounds of its operands. Never too narrow.
struct Interval {
  std::int64_t low = 0;
  std::int64_t high = 0;
  Fails fails = Fails::never;

  [[nodiscard]] static constexpr Interval point(std::int64_t value) { return {value, value}; }
  [[nodiscard]] constexpr bool is_point() const { return low == high && fails == Fails::never; }
  /// As a condition: false or failing for all operands.
  [[nodiscard]] constexpr bool excluded() const {
    return fails == Fails::always || (low == 0 && high == 0);
  }
};

/// An interval that contains the operation's value for every choice of operands.
[[nodiscard]] Interval apply(Operation operation, const Interval& a, const Interval& b,
                             const Interval& c);

}  // namespace gtune
