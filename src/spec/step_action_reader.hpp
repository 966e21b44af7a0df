#pragma once

#include <string>
#include <vector>

#include "spec/spec_context.hpp"

// Readers of a step's action: a launch, a copy or a fill. `what` names the step in errors; `args`
// are the kernel's arguments.
namespace gtune {

/// The default arguments of a launch: all but the buffers that are not passed, in their order.
[[nodiscard]] std::vector<PassedArgumentSpec> all_arguments(const std::vector<ArgumentSpec>& args);

/// Reads a list of names from `args`, each with an optional offset.
[[nodiscard]] std::vector<PassedArgumentSpec> read_passed_arguments(
    const SpecContext& context, const TomlValue& list, const std::string& what,
    const std::vector<ArgumentSpec>& args);

/// Reads the keys of a launch in the step's table.
[[nodiscard]] KernelLaunchSpec read_kernel_launch(const SpecContext& context,
                                                  const TomlValue& table, const std::string& what,
                                                  const std::vector<ArgumentSpec>& args);

/// Reads { from = "x", to = "y", count = "n", from_offset = 0, to_offset = 0 }
[[nodiscard]] BufferCopySpec read_copy(const SpecContext& context, const TomlValue& table,
                                       const std::string& what,
                                       const std::vector<ArgumentSpec>& args);

/// Reads { buffer = "x", value = 0, count = "n", offset = 0 }
[[nodiscard]] BufferSetSpec read_set(const SpecContext& context, const TomlValue& table,
                                     const std::string& what,
                                     const std::vector<ArgumentSpec>& args);

}  // namespace gtune
