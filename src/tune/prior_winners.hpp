#pragma once

#include <cstddef>
#include <vector>

#include "tune/problem_state.hpp"

namespace gtune {

/// Indices of configurations that won on other sizes on these devices, the nearest size first: what
/// is best there is often good here. Only those that the space has; few.
[[nodiscard]] std::vector<std::size_t> prior_winners(const ProblemState& state);

}  // namespace gtune
