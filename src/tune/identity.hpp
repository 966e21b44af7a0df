#pragma once

#include <string>

#include "model/kernel_identity.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// What the spec and its source are at this moment. Throws UserError where the source cannot be
/// read.
[[nodiscard]] KernelIdentity identity_of(const KernelSpec& spec);

/// For the user, in one line, where a source includes a file that cannot be known; empty where all
/// are.
[[nodiscard]] std::string unknown_include_note(const KernelSpec& spec);

}  // namespace gtune
