#pragma once

#include <vector>

#include "spec/spec_context.hpp"

// Conditions that steps impose on a configuration.
namespace gtune {

/// The conditions of these steps: those of the launches and ranges of all steps that are not left
/// out, and that at least one timed launch remains. Excludes conditions that name counters or the
/// compiler's facts. `places`: of the steps, for errors.
[[nodiscard]] std::vector<Expression> step_conditions(const SpecContext& context,
                                                      const std::vector<StepSpec>& steps,
                                                      const std::vector<Place>& places,
                                                      const std::vector<ArgumentSpec>& args);

/// The condition; always true if the step is left out.
[[nodiscard]] Expression unless_left_out(const SpecContext& context, const StepSpec& step,
                                         const Expression& condition);

/// The maximum over all launches.
[[nodiscard]] Expression most_shared_bytes(const SpecContext& context,
                                           const std::vector<StepSpec>& steps);
[[nodiscard]] Expression most_threads_per_block(const SpecContext& context,
                                                const std::vector<StepSpec>& steps);

}  // namespace gtune
