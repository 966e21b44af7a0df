#pragma once

#include <functional>
#include <map>

#include "tune/tune_problem.hpp"

namespace gtune {

/// An ended run of tune_problem() that found something.
struct ProblemRun {
  Problem problem;
  SearchSpace space;
  ProblemOutcome outcome;
};

/// The runs of a command, by the number of the problem.
using ProblemRuns = std::map<std::size_t, ProblemRun>;

/// Takes the metrics that the settings ask for, of all runs that are in the environment's database:
/// one kind of all runs after another. Counts lost workers in the outcomes. `begin` is called with
/// a problem's number before its metrics are taken. A failure only costs metrics. False if the user
/// ended it.
[[nodiscard]] bool take_metrics(const Environment& environment, const RunSettings& settings,
                                ProblemRuns& runs, const std::function<void(std::size_t)>& begin);

}  // namespace gtune
