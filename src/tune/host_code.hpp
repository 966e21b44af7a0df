#pragma once

#include "spec/kernel_spec.hpp"

namespace gtune {

/// A reference on the host runs as the user: it may do so if the spec lies below one of the folders
/// of $GTUNE_TRUST (with colons between them). Throws UserError(usage) where it does not.
void require_trust_in_host_code(const KernelSpec& spec);

}  // namespace gtune
