#pragma once

#include <cstddef>
#include <vector>

#include "tune/problem_state.hpp"

namespace gtune {

/// Indices of the winners on these devices, of the nearest size first, which may be this one: they
/// are often good here as well. Only those that the space has, and only a few.
[[nodiscard]] std::vector<std::size_t> prior_winners(const ProblemState& state);

}  // namespace gtune
