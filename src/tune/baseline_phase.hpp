#pragma once

#include "tune/problem_state.hpp"

namespace gtune {

/// The baseline's own parameters; those that it leaves open come from the first valid
/// configuration.
[[nodiscard]] Config baseline_config(const ProblemState& state, const Baseline& baseline);

[[nodiscard]] KernelRequest baseline_kernel(const ProblemState& state, const Baseline& baseline);

/// A request to measure a baseline's kernel. Writes the compiler's results to `measurement`. Absent
/// if there is nothing to run.
[[nodiscard]] std::optional<Measure> baseline_request(ProblemState& state, const Baseline& baseline,
                                                      Measurement& measurement);

/// Checks and times the spec's baselines, for comparison with the winner. A baseline that fails
/// is recorded like any other measurement.
void run_baselines(ProblemState& state);

}  // namespace gtune
