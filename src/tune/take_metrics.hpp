#pragma once

#include <functional>
#include <vector>

#include "tune/tune_problem.hpp"

namespace gtune {

/// An ended run of tune_problem().
struct ProblemRun {
  Problem problem;
  SearchSpace space;
  ProblemOutcome outcome;
};

/// Takes the metrics that the settings ask for, of all runs that found something and are in the
/// environment's database: one kind of all runs after another. `begin` is called with a run's
/// index before metrics of that run. A failure only costs metrics. False if the user ended it.
[[nodiscard]] bool take_metrics(const Environment& environment, const RunSettings& settings,
                                const std::vector<ProblemRun>& runs,
                                const std::function<void(std::size_t)>& begin);

}  // namespace gtune
