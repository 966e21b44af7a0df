#pragma once

#include <vector>

#include "tune/problem_state.hpp"

namespace gtune {

/// The stored finalists of a finished run, the winner first, and the baselines that have a time.
[[nodiscard]] std::vector<StoredMeasurement> finalists_and_baselines(const ProblemState& state);

}  // namespace gtune
