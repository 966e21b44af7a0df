#pragma once

#include <string>
#include <vector>

#include "authoring/source_outline.hpp"

namespace gtune {

/// Why an entry, as the spec has it, names no kernel of a source, and what to write; empty where
/// the text of its kernels does not tell. `source`: its name.
[[nodiscard]] std::string entry_mistake(const std::string& entry, const std::string& source,
                                        const std::vector<OutlinedKernel>& kernels);

}  // namespace gtune
