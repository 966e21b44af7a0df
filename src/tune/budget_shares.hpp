#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/measurement.hpp"
#include "tune/budget.hpp"

// Several problems share a budget: they get equal parts of its first half, and parts of its second
// half in proportion to their expected gains.
namespace gtune {

/// Half of each problem's average share, but at least one configuration.
[[nodiscard]] Budget first_share(const Budget& each);

/// The relative decrease of the best time in the second half of the measurements: 0 if the search
/// has converged, 1 if nothing valid has been found.
[[nodiscard]] double late_gain(const std::vector<Measurement>& in_order);

/// The expected gain if the time sufficed for only a few measurements: the probability that the
/// next one is the best so far, if their order is random. 0 if there were more than a few.
[[nodiscard]] double gain_of_few(std::size_t measurements);

/// The total budget of each problem, in the order of `gains`: its first share and its proportional
/// part of the rest; absent without a gain. No problem gets more than `most_shares` times the
/// average. The excess goes to the others, or remains unspent if there are none.
[[nodiscard]] std::vector<std::optional<Budget>> second_shares(const Budget& each,
                                                               const std::vector<double>& gains);

inline constexpr double most_shares = 4;

/// A larger budget after `tried` configurations gave nothing valid in `seconds`: enough time for a
/// few dozen at that pace, but at least twice the budget.
[[nodiscard]] Budget more_time(const Budget& budget, double seconds, std::uint64_t tried);

}  // namespace gtune
