#pragma once

#include <string>
#include <vector>

#include "authoring/source_outline.hpp"

namespace gtune {

/// Why a spec's entry names no kernel of a source, and what to write instead; empty if the source's
/// text shows no mistake. `entry`: as the spec spells it. `with_values`: with the values of a
/// configuration, which have kinds. `source`: the name of its file.
[[nodiscard]] std::string entry_mistake(const std::string& entry, const std::string& with_values,
                                        const std::string& source,
                                        const std::vector<OutlinedKernel>& kernels);

}  // namespace gtune
