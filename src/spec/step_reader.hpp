#pragma once

#include <string>
#include <vector>

#include "spec/spec_context.hpp"

// Readers of the steps of a kernel's run: [[steps]], or the single launch of a spec without them.
namespace gtune {

/// A single unconditional launch.
[[nodiscard]] std::vector<StepSpec> one_launch(std::string entry, LaunchSpec launch,
                                               std::vector<PassedArgumentSpec> args);

/// Reads the tables [[steps]] and adds their counters to the scope. `args`: the kernel's arguments.
[[nodiscard]] std::vector<StepSpec> read_steps(SpecContext& context, const TomlValue& list,
                                               const std::vector<ArgumentSpec>& args);

}  // namespace gtune
