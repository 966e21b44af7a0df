#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/spec_context.hpp"

// Readers of what a kernel's run consists of: [[steps]], or the one launch of a spec without them.
namespace gtune {

/// All arguments but buffers that are not passed, in their order: what a launch takes that says
/// nothing else.
[[nodiscard]] std::vector<PassedArgumentSpec> all_arguments(const std::vector<ArgumentSpec>& args);

/// A list of names of `args`, each perhaps with an offset. `what` names whose they are in errors.
[[nodiscard]] std::vector<PassedArgumentSpec> read_passed_arguments(
    const SpecContext& context, const TomlValue& list, const std::string& what,
    const std::vector<ArgumentSpec>& args);

/// One launch, which is always made.
[[nodiscard]] std::vector<StepSpec> one_launch(std::string entry, LaunchSpec launch,
                                               std::vector<PassedArgumentSpec> args);

/// The tables [[steps]]. `args`: those of the kernel.
[[nodiscard]] std::vector<StepSpec> read_steps(const SpecContext& context, const TomlValue& list,
                                               const std::vector<ArgumentSpec>& args);

/// What must hold for these steps: of those that are not left out the conditions of their launches,
/// and that one is left to be timed.
[[nodiscard]] std::vector<Expression> step_conditions(const SpecContext& context,
                                                      const std::vector<StepSpec>& steps);

/// The condition, which need not hold where the step is left out.
[[nodiscard]] Expression unless_left_out(const SpecContext& context, const StepSpec& step,
                                         const Expression& condition);

/// The largest of any launch.
[[nodiscard]] Expression most_shared_bytes(const SpecContext& context,
                                           const std::vector<StepSpec>& steps);
[[nodiscard]] Expression most_threads_per_block(const SpecContext& context,
                                                const std::vector<StepSpec>& steps);

}  // namespace gtune
