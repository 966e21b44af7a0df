#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/spec_context.hpp"

namespace gtune {

/// `others` followed by the keys that describe a launch.
[[nodiscard]] std::vector<std::string_view> with_launch_keys(std::vector<std::string_view> others);

/// Reads the keys of a launch from a table, which may have others. `what` names the table in
/// errors: "[launch]".
[[nodiscard]] LaunchSpec read_launch(const SpecContext& context, const TomlValue& table,
                                     const std::string& what, Depends depends);

/// Reads a kernel's name in the source.
[[nodiscard]] std::string read_entry(const SpecContext& context, const TomlValue& value,
                                     const std::string& what);

/// The product of the block's dimensions.
[[nodiscard]] Expression threads_per_block(const SpecContext& context, const LaunchSpec& launch);

/// The conditions for any launch: dimensions of at least 1, shared memory that is not negative, a
/// grid of whole clusters.
[[nodiscard]] std::vector<Expression> launch_conditions(const SpecContext& context,
                                                        const LaunchSpec& launch);

}  // namespace gtune
