#pragma once

#include "model/kernel_identity.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// What the spec and its source are at this moment. Throws UserError where the source cannot be
/// read.
[[nodiscard]] KernelIdentity identity_of(const KernelSpec& spec);

}  // namespace gtune
