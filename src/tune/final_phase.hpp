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

/// Measures the search's best in turn, A B C A B C, so that a drift of the clock affects all
/// equally: a handful, and more short kernels that are within the noise, until ties are settled or
/// half a second is over. Ranks them: the fastest and those tied with it first, among these the
/// simpler first; then the others. Empty if nothing was valid.
[[nodiscard]] std::vector<Finalist> run_finals(ProblemState& state);

}  // namespace gtune
