#pragma once

#include <optional>
#include <string_view>

#include "model/measurement.hpp"

namespace gtune {

/// What `ptxas -v` says of the entry `kernel_name` (mangled) in a compile log. Nothing where it
/// is not mentioned.
[[nodiscard]] std::optional<ResourceUsage> parse_ptxas_log(std::string_view log,
                                                           std::string_view kernel_name);

}  // namespace gtune
