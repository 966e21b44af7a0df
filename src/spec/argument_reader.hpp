#pragma once

#include <string>
#include <vector>

#include "spec/spec_context.hpp"

namespace gtune {

/// Reads one table of 'args'. Its name must not be in `names`, and is added to them. `params`:
/// those that may choose the kind of a buffer's memory.
[[nodiscard]] ArgumentSpec read_argument(const SpecContext& context, const TomlValue& table,
                                         const std::vector<Parameter>& params,
                                         std::vector<std::string>& names);

/// Reads the tables [[args]].
[[nodiscard]] std::vector<ArgumentSpec> read_arguments(const SpecContext& context,
                                                       const TomlValue& list,
                                                       const std::vector<Parameter>& params);

}  // namespace gtune
