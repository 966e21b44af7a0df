#pragma once

#include <filesystem>

#include "tune/tune_problem.hpp"

namespace gtune {

/// Settings for a run whose measurements are to be replayed: all of the space, unless a budget
/// was given.
void prepare_for_recording(RunSettings& settings, bool whole_space);

/// Checks the fastest on awkward sizes, too, and writes what is stored for the problem as a
/// recording. Throws UserError.
void record(const Environment& environment, const RunSettings& settings,
            const ProblemOutcome& outcome, const Problem& problem, const SearchSpace& space,
            const std::filesystem::path& file);

}  // namespace gtune
