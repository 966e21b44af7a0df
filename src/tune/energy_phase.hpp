#pragma once

#include "tune/opened_run.hpp"
#include "tune/problem_state.hpp"

namespace gtune {

/// Measures and stores the energy of a finished run's finalists and baselines if the settings ask
/// for it. A failure only costs the metrics, which are then stored with the reason. Existing ones
/// are not measured again. Throws Interrupted.
void run_energy(ProblemState& state, OpenedRun& opened);

}  // namespace gtune
