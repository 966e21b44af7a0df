#pragma once

#include <optional>
#include <string_view>

#include "model/measurement.hpp"

namespace gtune {

/// The resource usage that `ptxas -v` reports for the entry `kernel_name` (mangled) in a compile
/// log; absent if the log does not mention it.
[[nodiscard]] std::optional<ResourceUsage> parse_ptxas_log(std::string_view log,
                                                           std::string_view kernel_name);

}  // namespace gtune
