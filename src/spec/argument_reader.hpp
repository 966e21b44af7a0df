#pragma once

#include <vector>

#include "spec/spec_context.hpp"

namespace gtune {

/// The tables [[args]].
[[nodiscard]] std::vector<ArgumentSpec> read_arguments(const SpecContext& context,
                                                       const TomlValue& list);

}  // namespace gtune
