#pragma once

#include "answer/size_rules.hpp"

namespace gtune {

/// The spec's size rules, with the parameters that are launch-only in its source at this moment.
[[nodiscard]] SizeRules current_rules(const KernelSpec& spec);

}  // namespace gtune
