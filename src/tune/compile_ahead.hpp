#pragma once

#include "tune/problem_state.hpp"

namespace gtune {

/// Starts to compile what comes after a search, while the GPU measures: baselines, then the kernels
/// of the fastest configurations for awkward sizes, as many as there are compilers.
void compile_ahead(const ProblemState& state);

}  // namespace gtune
