#pragma once

#include "tune/metric_takers.hpp"
#include "tune/problem_state.hpp"

namespace gtune {

/// Samples and stores the source lines of a finished run's finalists and baselines if the settings
/// ask for them. A failure only costs the lines, and the reason is stored in their place. Existing
/// ones are not sampled again. Throws Interrupted.
void run_lines(ProblemState& state, MetricTakers& takers);

}  // namespace gtune
