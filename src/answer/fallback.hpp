#pragma once

#include <vector>

#include "spec/kernel_spec.hpp"
#include "store/database.hpp"

namespace gtune {

/// Configurations for sizes at which nothing in `used` is valid: for each GPU model and kind
/// of problem, the few right ones that are valid for most of these sizes. Returns them as winners
/// of the problems on which they were measured. Empty if none helps.
[[nodiscard]] std::vector<Winner> find_fallbacks(const Database& database,
                                                 const KernelIdentity& kernel,
                                                 const KernelSpec& spec,
                                                 const std::vector<Winner>& used);

}  // namespace gtune
