#pragma once

#include <string>
#include <vector>

#include "model/checked_json.hpp"
#include "score/scoreboard.hpp"

namespace gtune {

/// A table of the strategies on one space.
[[nodiscard]] std::string score_text(const SpaceScore& score, const ScoreSettings& settings);
/// The methodology's score of each strategy, mean over the spaces.
[[nodiscard]] std::string mean_score_text(const std::vector<SpaceScore>& scores);
[[nodiscard]] nlohmann::json score_json(const std::vector<SpaceScore>& scores,
                                        const ScoreSettings& settings);

}  // namespace gtune
