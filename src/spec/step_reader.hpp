#pragma once

#include <string>
#include <vector>

#include "spec/spec_context.hpp"

// Readers of what a kernel's run consists of: [[steps]], or the one launch of a spec without them.
namespace gtune {

/// One launch, which is always made.
[[nodiscard]] std::vector<StepSpec> one_launch(std::string entry, LaunchSpec launch,
                                               std::vector<PassedArgumentSpec> args);

/// The tables [[steps]]. `args`: those of the kernel. Adds their counters to the context's scope.
[[nodiscard]] std::vector<StepSpec> read_steps(SpecContext& context, const TomlValue& list,
                                               const std::vector<ArgumentSpec>& args);

}  // namespace gtune
