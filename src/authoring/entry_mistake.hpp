#pragma once

#include <string>
#include <vector>

#include "authoring/source_outline.hpp"

namespace gtune {

/// Why a spec's entry names no kernel of a source, and what to write instead; empty if the source's
/// text shows no mistake. `entry`: as the spec spells it, or with a configuration's values, which
/// also shows arguments of the wrong kind. `source`: the name of its file.
[[nodiscard]] std::string entry_mistake(const std::string& entry, const std::string& source,
                                        const std::vector<OutlinedKernel>& kernels);

}  // namespace gtune
