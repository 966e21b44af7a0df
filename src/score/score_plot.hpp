#pragma once

#include <string>
#include <vector>

#include "score/scoreboard.hpp"

namespace gtune {

/// An SVG image: for each space, the best so far as a share of the optimum, over evaluations. Lines
/// are medians over the runs; bands reach from the 10th to the 90th percentile.
[[nodiscard]] std::string score_plot(const std::vector<SpaceScore>& scores);

}  // namespace gtune
