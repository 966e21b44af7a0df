#pragma once

#include <string>
#include <vector>

#include "explain/parameter_effects.hpp"
#include "page/figure.hpp"

namespace gtune {

/// Whether a parameter has two values with times: otherwise there is nothing to compare.
[[nodiscard]] bool has_comparison(const std::vector<ParameterEffect>& parameters);

/// A bar for each value of the parameters that matter most, and all of them as a table.
/// `parameters`: by importance, not empty. `note`: how the effects were found.
[[nodiscard]] Figure effects_figure(const std::vector<ParameterEffect>& parameters,
                                    const std::string& id, const std::string& note);

}  // namespace gtune
