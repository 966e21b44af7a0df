#pragma once

#include <string>
#include <vector>

#include "explain/parameter_effects.hpp"

namespace gtune {

/// Whether a parameter has two values with times: otherwise there is nothing to compare.
[[nodiscard]] bool has_comparison(const std::vector<ParameterEffect>& parameters);

/// Markup: a bar for each value of the parameters that matter most, and all of them as a table. A
/// sentence if no parameter matters. `parameters`: by importance, not empty. `note`: how the
/// effects were found.
[[nodiscard]] std::string effects_element(const std::vector<ParameterEffect>& parameters,
                                          const std::string& id, const std::string& note);

}  // namespace gtune
