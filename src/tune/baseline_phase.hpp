#pragma once

#include "tune/problem_state.hpp"

namespace gtune {

/// Its own parameters, and those that it leaves open as the first valid configuration has them.
[[nodiscard]] Config baseline_config(const ProblemState& state, const Baseline& baseline);

/// A baseline's kernel as a request to the worker; what the compiler said goes into `measurement`.
/// Absent where there is nothing to run.
[[nodiscard]] std::optional<Measure> baseline_request(ProblemState& state, const Baseline& baseline,
                                                      Measurement& measurement);

/// Checks and times the spec's baselines, for comparison with the winner. A baseline that fails
/// is recorded like any other measurement.
void run_baselines(ProblemState& state);

}  // namespace gtune
