#pragma once

#include <string>

#include "cli/commands.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// The spec of a kernel that comes with the program, or of a file if `name` ends in ".toml".
/// Throws UserError (usage) that lists the known names.
[[nodiscard]] KernelSpec find_kernel(const std::string& name, const CommandContext& context);

}  // namespace gtune
