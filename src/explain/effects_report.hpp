#pragma once

#include <string>
#include <vector>

#include "explain/parameter_effects.hpp"
#include "report/document.hpp"

namespace gtune {

struct KernelSpec;

/// "+12.3 %", or "best".
[[nodiscard]] std::string cost_text(double cost);

/// Values that do not combine, in the words of effects_report.
[[nodiscard]] Table interactions_table(const std::vector<Interaction>& interactions);

/// A part for each problem, and if there are several, one over all of them.
[[nodiscard]] Document effects_report(const KernelSpec& spec,
                                      const std::vector<ProblemEffects>& problems);

}  // namespace gtune
