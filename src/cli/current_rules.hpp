#pragma once

#include "answer/size_rules.hpp"

namespace gtune {

/// With the launch-only parameters that the spec's source leaves at this moment.
[[nodiscard]] SizeRules current_rules(const KernelSpec& spec);

}  // namespace gtune
