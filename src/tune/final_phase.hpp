#pragma once

#include <vector>

#include "tune/problem_state.hpp"

namespace gtune {

/// A finalist: the samples of all its rounds together.
struct Finalist {
  Measurement measurement;
  MeasurementId id{};
  bool ties_with_best = false;
};

/// Measures the search's best in turn, A B C A B C, so that a drift of the clock meets all alike:
/// a handful, of short kernels also those that noise cannot tell from it, until ties are settled
/// or half a second is over. Ranks them: the fastest and what its noise cannot tell from it first,
/// among those the simpler first; then the others. Empty where nothing was valid.
[[nodiscard]] std::vector<Finalist> run_finals(ProblemState& state);

}  // namespace gtune
