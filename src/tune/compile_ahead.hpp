#pragma once

#include <cstddef>
#include <span>

#include "tune/problem_state.hpp"

namespace gtune {

/// Starts to compile what a search needs first, while the workers become ready: the reference and
/// the kernels of the first configurations. If these are fewer kernels than there are compilers,
/// since one kernel may serve many configurations, those of random others follow.
void compile_first(const ProblemState& state, std::span<const std::size_t> first);

/// Starts to compile what comes after a search, while the GPU measures: baselines, then the kernels
/// of the fastest configurations for awkward sizes, as many as there are compilers.
void compile_ahead(const ProblemState& state);

}  // namespace gtune
