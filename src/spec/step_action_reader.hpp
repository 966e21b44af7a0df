#pragma once

#include <string>
#include <vector>

#include "spec/spec_context.hpp"

// Readers of what a step does: a launch, a copy, a fill. `what` names the step in errors, `args`
// are the kernel's.
namespace gtune {

/// All arguments but buffers that are not passed, in their order: what a launch takes that says
/// nothing else.
[[nodiscard]] std::vector<PassedArgumentSpec> all_arguments(const std::vector<ArgumentSpec>& args);

/// A list of names of `args`, each perhaps with an offset.
[[nodiscard]] std::vector<PassedArgumentSpec> read_passed_arguments(
    const SpecContext& context, const TomlValue& list, const std::string& what,
    const std::vector<ArgumentSpec>& args);

/// The keys of a launch in the step's own table.
[[nodiscard]] KernelLaunchSpec read_kernel_launch(const SpecContext& context,
                                                  const TomlValue& table, const std::string& what,
                                                  const std::vector<ArgumentSpec>& args);

/// { from = "x", to = "y", count = "n", from_offset = 0, to_offset = 0 }
[[nodiscard]] BufferCopySpec read_copy(const SpecContext& context, const TomlValue& table,
                                       const std::string& what,
                                       const std::vector<ArgumentSpec>& args);

/// { buffer = "x", value = 0, count = "n", offset = 0 }
[[nodiscard]] BufferSetSpec read_set(const SpecContext& context, const TomlValue& table,
                                     const std::string& what,
                                     const std::vector<ArgumentSpec>& args);

}  // namespace gtune
