#pragma once

#include <vector>

#include "spec/kernel_spec.hpp"
#include "store/database.hpp"

namespace gtune {

/// What to use for sizes at which none of the configurations in `used` is valid: of what was
/// measured right on the same device and kind of problem, the few that are valid for the most of
/// such sizes. As winners of the problems that they were measured on. None where `used` leaves
/// nothing that they could help with.
[[nodiscard]] std::vector<Winner> find_fallbacks(const Database& database,
                                                 const KernelIdentity& kernel,
                                                 const KernelSpec& spec,
                                                 const std::vector<Winner>& used);

}  // namespace gtune
