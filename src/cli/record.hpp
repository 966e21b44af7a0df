#pragma once

#include <filesystem>

#include "tune/tune_problem.hpp"

namespace gtune {

/// Prepares a run that is to be recorded: with `whole_space` it measures every configuration,
/// without a budget.
void prepare_for_recording(RunSettings& settings, bool whole_space);

/// Checks the fastest configurations on awkward sizes, and writes what is stored for the problem as
/// a recording. Throws UserError.
void record(const Environment& environment, const RunSettings& settings,
            const ProblemOutcome& outcome, const Problem& problem, const SearchSpace& space,
            const std::filesystem::path& file);

}  // namespace gtune
