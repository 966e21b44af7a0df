#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/measurement.hpp"

namespace gtune {

/// What `ptxas -v` says of the entry `kernel_name` (mangled) in a compile log. Nothing where it
/// is not mentioned.
[[nodiscard]] std::optional<ResourceUsage> parse_ptxas_log(std::string_view log,
                                                           std::string_view kernel_name);

/// The entries that a compile log mentions, mangled.
[[nodiscard]] std::vector<std::string> compiled_kernels(std::string_view log);

}  // namespace gtune
