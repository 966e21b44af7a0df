#pragma once

#include "tune/metric_takers.hpp"
#include "tune/problem_state.hpp"

namespace gtune {

/// Measures and stores the energy of a finished run's finalists and baselines if the settings ask
/// for it. A failure only costs the metrics, which are then stored with the reason. Existing ones
/// are not measured again. Throws Interrupted.
void run_energy(ProblemState& state, MetricTakers& takers);

}  // namespace gtune
