#pragma once

#include "model/kernel_identity.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// The identity of the spec and its source at this moment. Writes a note to standard error if the
/// source includes a file that cannot be determined: then no stored result is current.
[[nodiscard]] KernelIdentity current_identity(const KernelSpec& spec);

}  // namespace gtune
