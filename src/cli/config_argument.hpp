#pragma once

#include <string>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// Null where no baseline is called so.
[[nodiscard]] const Baseline* find_baseline(const KernelSpec& spec, const std::string& name);

/// Throws UserError(usage) for what is neither "best" nor a baseline nor NAME=VALUE,... `option`:
/// where it was given, "--config".
void require_config_argument(const KernelSpec& spec, const std::string& option,
                             const std::string& words);

}  // namespace gtune
