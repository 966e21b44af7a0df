#pragma once

#include "authoring/kernel_facts.hpp"
#include "authoring/source_outline.hpp"

namespace gtune {

/// A source's outline with the types, constants, macros and device variables of its own headers,
/// and with their kernels if the source has none, or none that the question names. Headers in
/// the folders that the question's options name contribute only types.
[[nodiscard]] SourceOutline outline_with_headers(const KernelQuestion& question,
                                                 const std::string& text);

}  // namespace gtune
