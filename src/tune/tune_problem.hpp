#pragma once

#include <vector>

#include "space/search_space.hpp"
#include "tune/environment.hpp"
#include "tune/problem_state.hpp"

namespace gtune {

/// How a run on one problem ended.
struct ProblemOutcome {
  RunId run{};
  std::vector<MeasurementKey> keys;  // of the devices that took part, first the run's
  bool from_store = false;           // nothing was measured: an equal run had ended before
  bool found = false;                // there is a valid and correct configuration
  std::size_t unchecked = 0;       // none found: so many were not checked on awkward sizes any more
  std::size_t configurations = 0;  // of the space
  int workers_lost = 0;
  SearchUse search_use;
};

/// What must be equal for one run to return another's result.
struct RunIdentity {
  std::string space_signature;
  bool whole_space = true;
};

/// Tunes one problem: search, baselines, final, check of the winner, metrics. Everything is in the
/// database when it returns, or throws: UserError, or Interrupted with what was measured stored.
[[nodiscard]] ProblemOutcome tune_problem(const Environment& environment,
                                          const RunSettings& settings, const Problem& problem,
                                          const SearchSpace& space, const RunIdentity& identity);

}  // namespace gtune
