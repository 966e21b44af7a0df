#pragma once

#include <string>

#include "model/kernel_identity.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// The present identity of the spec and its source. Throws UserError if the source cannot be read.
[[nodiscard]] KernelIdentity identity_of(const KernelSpec& spec);

/// A line for the user if a source includes an unknown file; empty if all files are known.
[[nodiscard]] std::string unknown_include_note(const KernelSpec& spec);

}  // namespace gtune
