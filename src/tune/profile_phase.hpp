#pragma once

#include "tune/problem_state.hpp"

namespace gtune {

/// Takes hardware metrics of what a run that has ended measured, as the settings ask, and stores
/// them; nothing that goes wrong here costs more than metrics, which then have a reason. What has
/// its metrics already is left alone. Throws Interrupted.
void run_profile(ProblemState& state);

}  // namespace gtune
