#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/measurement.hpp"
#include "tune/budget.hpp"

// How the budget of several problems is shared: the first half equally, the second by what there
// still is to gain.
namespace gtune {

/// Half of what each problem has on average, one configuration at least.
[[nodiscard]] Budget first_share(const Budget& each);

/// How much the best time fell in the second half of what was measured, as a share of it: 0 where a
/// search has come to rest, 1 where nothing valid was found yet.
[[nodiscard]] double late_gain(const std::vector<Measurement>& in_order);

/// What a budget of time leaves to gain where it was enough for few measurements: how likely the
/// next one is the best so far, were they in any order. 0 where they were not few.
[[nodiscard]] double gain_of_few(std::size_t measurements);

/// What each problem may use in all, in the order of the gains: the first share and its part of the
/// rest, in proportion; absent where there is nothing to gain. None gets more than
/// `most_shares` times the average: what is over goes to the others, and is not spent where there
/// are none.
[[nodiscard]] std::vector<std::optional<Budget>> second_shares(const Budget& each,
                                                               const std::vector<double>& gains);

inline constexpr double most_shares = 4;

/// What to give in place of a budget of time in which `tried` configurations gave nothing valid: at
/// its pace enough for the few dozen that say something, and twice the budget at least.
[[nodiscard]] Budget more_time(const Budget& budget, double seconds, std::uint64_t tried);

}  // namespace gtune
