#pragma once

#include <string>
#include <vector>

#include "explain/parameter_effects.hpp"
#include "model/checked_json.hpp"

namespace gtune {

/// A table for each problem, and one over all of them where there are several.
[[nodiscard]] std::string effects_text(const std::string& kernel,
                                       const std::vector<ProblemEffects>& problems);
[[nodiscard]] nlohmann::json effects_json(const std::string& kernel,
                                          const std::vector<ProblemEffects>& problems);

}  // namespace gtune
