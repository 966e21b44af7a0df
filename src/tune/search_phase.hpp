#pragma once

#include "tune/problem_state.hpp"

namespace gtune {

/// Opens the problem, asks the strategy for configurations, keeps the compilers ahead of the GPU,
/// and records each result, until the space or the budget is exhausted. Throws Interrupted.
void run_search(ProblemState& state);

}  // namespace gtune
