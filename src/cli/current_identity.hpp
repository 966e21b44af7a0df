#pragma once

#include "model/kernel_identity.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// What the spec and its source are at this moment, with a note on standard error where the source
/// includes a file that cannot be known: then nothing that is stored is current.
[[nodiscard]] KernelIdentity current_identity(const KernelSpec& spec);

}  // namespace gtune
