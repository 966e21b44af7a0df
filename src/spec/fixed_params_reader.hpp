#pragma once

#include <string>

#include "spec/spec_context.hpp"

namespace gtune {

/// Reads a table with values for some of the parameters. `what` names it in errors.
[[nodiscard]] Config read_fixed_params(const SpecContext& context, const TomlValue& table,
                                       const std::string& what, const KernelSpec& spec);

}  // namespace gtune
