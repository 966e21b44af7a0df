#pragma once

#include <cstddef>
#include <span>

#include "tune/problem_state.hpp"

namespace gtune {

/// Starts to compile what a search needs first, while the workers become ready: the reference and
/// the kernels of the first configurations. If these need fewer kernels than there are compilers,
/// because one kernel may serve many configurations, kernels of random configurations follow,
/// unless the first ones are `all`.
void compile_first(const ProblemState& state, std::span<const std::size_t> first, bool all);

/// Starts to compile what comes after a search, while the GPU measures: baselines, then the kernels
/// of the fastest configurations for awkward sizes, as many as there are compilers.
void compile_ahead(const ProblemState& state);

}  // namespace gtune
