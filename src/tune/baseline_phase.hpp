#pragma once

#include "tune/problem_state.hpp"

namespace gtune {

/// Checks and times the spec's baselines, for comparison with the winner. A baseline that fails
/// is recorded like any other measurement.
void run_baselines(ProblemState& state);

}  // namespace gtune
