#pragma once

#include <vector>

#include "explain/parameter_effects.hpp"
#include "report/document.hpp"

namespace gtune {

struct KernelSpec;

/// A part for each problem, and if there are several, one over all of them.
[[nodiscard]] Document effects_report(const KernelSpec& spec,
                                      const std::vector<ProblemEffects>& problems);

}  // namespace gtune
