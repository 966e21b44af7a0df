#pragma once

#include <string>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// Null if no baseline has this name.
[[nodiscard]] const Baseline* find_baseline(const KernelSpec& spec, const std::string& name);

/// Throws UserError(usage) unless the words are "best", a baseline's name or NAME=VALUE,...
/// `option`: the option that they were given to, "--config".
void require_config_argument(const KernelSpec& spec, const std::string& option,
                             const std::string& words);

}  // namespace gtune
