#pragma once

#include "tune/problem_state.hpp"

namespace gtune {

/// Takes and stores hardware metrics of a finished run's measurements according to the settings. A
/// failure only costs metrics, which are then stored with the reason. Existing metrics are not
/// taken again. Throws Interrupted.
void run_profile(ProblemState& state);

}  // namespace gtune
