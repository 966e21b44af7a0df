#pragma once

#include "spec/kernel_spec.hpp"

namespace gtune {

/// A host reference runs with the user's rights, so the spec must be below a folder in $GTUNE_TRUST
/// (separated by colons). Otherwise throws UserError(usage).
void require_trust_in_host_code(const KernelSpec& spec);

}  // namespace gtune
