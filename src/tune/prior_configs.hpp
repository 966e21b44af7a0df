#pragma once

#include <cstddef>
#include <vector>

#include "tune/problem_state.hpp"

namespace gtune {

/// A configuration that won elsewhere, for the search to measure first.
struct PriorConfig {
  std::size_t index = 0;  // in the space
  PriorOrigin origin = PriorOrigin::earlier_runs;
  bool is_same_problem = false;  // won on this very problem, not on another device of one's own
};

/// Winners of the nearest problems, the nearest first: of earlier runs, of other sources, specs and
/// devices, and of the bundled results. They count for nothing until they are measured.
[[nodiscard]] std::vector<PriorConfig> prior_configs(const ProblemState& state);

}  // namespace gtune
