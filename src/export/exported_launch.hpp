#pragma once

#include "spec/kernel_spec.hpp"

namespace gtune {

/// The one launch that headers, dispatchers and cubins are for. Throws UserError (usage) for a
/// kernel that runs in steps, or whose launch depends on what the compiler reports.
[[nodiscard]] const KernelLaunchSpec& exported_launch(const KernelSpec& spec);

}  // namespace gtune
