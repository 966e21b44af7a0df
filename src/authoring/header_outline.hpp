#pragma once

#include "authoring/kernel_facts.hpp"
#include "authoring/source_outline.hpp"

namespace gtune {

/// A source's outline with the types, constants, macros and device variables of its own headers,
/// and with their kernels if the source has none, or none that the question names. Types of headers
/// in the folders of the question's options count too.
[[nodiscard]] SourceOutline outline_with_headers(const KernelQuestion& question,
                                                 const std::string& text);

}  // namespace gtune
