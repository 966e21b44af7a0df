#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/spec_context.hpp"

namespace gtune {

/// The keys of a table that describes a launch, behind others that it may have.
[[nodiscard]] std::vector<std::string_view> with_launch_keys(std::vector<std::string_view> others);

/// The keys of a launch in a table, of which it may have others. `what` names it in errors:
/// "[launch]".
[[nodiscard]] LaunchSpec read_launch(const SpecContext& context, const TomlValue& table,
                                     const std::string& what, Depends depends);

/// A kernel's name in the source.
[[nodiscard]] std::string read_entry(const SpecContext& context, const TomlValue& value,
                                     const std::string& what);

/// The product of the block's dimensions.
[[nodiscard]] Expression threads_per_block(const SpecContext& context, const LaunchSpec& launch);

/// What must hold for any launch: dimensions at least 1, shared memory not negative, a grid of
/// whole clusters.
[[nodiscard]] std::vector<Expression> launch_conditions(const SpecContext& context,
                                                        const LaunchSpec& launch);

}  // namespace gtune
