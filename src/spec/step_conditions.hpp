#pragma once

#include <vector>

#include "spec/spec_context.hpp"

// What steps ask of a configuration.
namespace gtune {

/// What must hold for these steps: of those that are not left out the conditions of their launches
/// and ranges as far as they name no counter and nothing that the compiler reports, and that one is
/// left to be timed.
[[nodiscard]] std::vector<Expression> step_conditions(const SpecContext& context,
                                                      const std::vector<StepSpec>& steps,
                                                      const std::vector<ArgumentSpec>& args);

/// The condition, which need not hold where the step is left out.
[[nodiscard]] Expression unless_left_out(const SpecContext& context, const StepSpec& step,
                                         const Expression& condition);

/// The largest of any launch.
[[nodiscard]] Expression most_shared_bytes(const SpecContext& context,
                                           const std::vector<StepSpec>& steps);
[[nodiscard]] Expression most_threads_per_block(const SpecContext& context,
                                                const std::vector<StepSpec>& steps);

}  // namespace gtune
