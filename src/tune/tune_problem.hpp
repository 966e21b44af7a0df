#pragma once

#include <vector>

#include "space/search_space.hpp"
#include "tune/environment.hpp"
#include "tune/problem_state.hpp"
#include "tune/shared_measurements.hpp"

namespace gtune {

/// The outcome of a run on one problem.
struct ProblemOutcome {
  RunId run{};
  std::optional<EndedRun> ended_before;  // the equal run, `run`, whose result was used instead
  std::vector<MeasurementKey> keys;      // of the devices that took part, the run's device first
  bool found = false;                    // there is a valid and correct configuration
  std::size_t unchecked = 0;       // if none was found: how many were not checked on awkward sizes
  std::size_t configurations = 0;  // of the space
  int workers_lost = 0;
  SearchUse search_use;

  [[nodiscard]] bool from_store() const { return ended_before.has_value(); }
};

/// Runs with equal identities can return each other's results.
struct RunIdentity {
  std::string space_signature;
  bool whole_space = true;
};

/// An equal run that has ended, whose result is used instead of a new run. If metrics are asked
/// for, a run of --also is not used, since they cannot be added to it.
[[nodiscard]] std::optional<EndedRun> find_answering(const Environment& environment,
                                                     const RunSettings& settings,
                                                     const std::vector<MeasurementKey>& keys,
                                                     const Problem& problem,
                                                     const RunIdentity& identity);

/// Tunes one problem: search, baselines, final, check of the winner. All measurements are in the
/// database when it returns or throws UserError or Interrupted. Metrics come later: take_metrics().
[[nodiscard]] ProblemOutcome tune_problem(const Environment& environment,
                                          const RunSettings& settings, const Problem& problem,
                                          const SearchSpace& space, const RunIdentity& identity);

}  // namespace gtune
