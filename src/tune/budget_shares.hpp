#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/measurement.hpp"
#include "tune/budget.hpp"

// How several problems share a budget: the first half equally, the second in proportion to the
// expected gain.
namespace gtune {

/// Half of what each problem has on average, one configuration at least.
[[nodiscard]] Budget first_share(const Budget& each);

/// How much the best time fell in the second half of the measurements, relative to it: 0 if the
/// search has converged, 1 if nothing valid was found yet.
[[nodiscard]] double late_gain(const std::vector<Measurement>& in_order);

/// The expected gain after a budget of time that was enough for only few measurements: the
/// probability that the next one is the best so far, if they come in any order. 0 if they were not
/// few.
[[nodiscard]] double gain_of_few(std::size_t measurements);

/// The whole budget of each problem, in the order of the gains: the first share and its
/// proportional part of the rest; absent without a gain. None gets more than `most_shares` times
/// the average: the excess goes to the others, and is not spent if there are none.
[[nodiscard]] std::vector<std::optional<Budget>> second_shares(const Budget& each,
                                                               const std::vector<double>& gains);

inline constexpr double most_shares = 4;

/// What to give in place of a budget of time in which `tried` configurations gave nothing valid: at
/// its pace enough for the few dozen that say something, and twice the budget at least.
[[nodiscard]] Budget more_time(const Budget& budget, double seconds, std::uint64_t tried);

}  // namespace gtune
