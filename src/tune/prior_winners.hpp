#pragma once

#include <cstddef>
#include <vector>

#include "tune/problem_state.hpp"

namespace gtune {

/// Indices of the winners of other sizes on these devices, the nearest size first: they are often
/// good here as well. Only those that the space has, and only a few. This size's is left to the
/// strategy, so that a command that is repeated asks for the same configurations again.
[[nodiscard]] std::vector<std::size_t> prior_winners(const ProblemState& state);

}  // namespace gtune
