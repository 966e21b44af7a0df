#pragma once

#include <cstddef>
#include <vector>

#include "tune/problem_state.hpp"

namespace gtune {

/// Indices of a few winners of other sizes on these devices that the space contains, the nearest
/// size first: they are often good here as well. This size's own winner is left to the strategy, so
/// that a repeated command asks for the same configurations again.
[[nodiscard]] std::vector<std::size_t> prior_winners(const ProblemState& state);

}  // namespace gtune
