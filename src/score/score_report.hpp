#pragma once

#include <vector>

#include "report/document.hpp"
#include "score/scoreboard.hpp"

namespace gtune {

/// The strategies on one space.
[[nodiscard]] Document space_score_report(const SpaceScore& score, const ScoreSettings& settings);
/// Each strategy's score by the methodology, averaged over the spaces.
[[nodiscard]] Document mean_score_report(const std::vector<SpaceScore>& scores);
/// Both, for all spaces.
[[nodiscard]] Document score_report(const std::vector<SpaceScore>& scores,
                                    const ScoreSettings& settings);

}  // namespace gtune
