#pragma once

#include <string>
#include <vector>

#include "spec/spec_context.hpp"

namespace gtune {

/// The keys grid, block and shared of a table. `what` names it in errors: "[launch]".
[[nodiscard]] LaunchSpec read_launch(const SpecContext& context, const TomlValue& table,
                                     const std::string& what, Depends depends);

/// A kernel's name in the source.
[[nodiscard]] std::string read_entry(const SpecContext& context, const TomlValue& value,
                                     const std::string& what);

/// The product of the block's dimensions.
[[nodiscard]] Expression threads_per_block(const SpecContext& context, const LaunchSpec& launch);

/// What must hold for any launch: dimensions at least 1, shared memory not negative.
[[nodiscard]] std::vector<Expression> launch_conditions(const SpecContext& context,
                                                        const LaunchSpec& launch);

}  // namespace gtune
