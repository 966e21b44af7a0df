#pragma once

#include <vector>

#include "tune/problem_state.hpp"

namespace gtune {

/// A finalist with the samples of all its rounds.
struct Finalist {
  Measurement measurement;
  MeasurementId id{};
  bool ties_with_best = false;
};

/// Measures the best of the search in turn (A B C A B C), so that a drift of the clock affects all
/// equally: a handful, and more if kernels are so short that noise hides their differences. Ends
/// when ties are settled, or after half a second. Ranks the finalists: the fastest and those tied
/// with it, simpler ones first, then the others. Empty if nothing was valid.
[[nodiscard]] std::vector<Finalist> run_finals(ProblemState& state);

}  // namespace gtune
