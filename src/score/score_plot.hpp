#pragma once

#include <string>
#include <vector>

#include "score/scoreboard.hpp"

namespace gtune {

/// An SVG picture: per space the best so far, as a share of the optimum, against evaluations.
/// Lines are medians over the runs, bands reach from the tenth to the ninetieth percentile.
[[nodiscard]] std::string score_plot(const std::vector<SpaceScore>& scores);

}  // namespace gtune
