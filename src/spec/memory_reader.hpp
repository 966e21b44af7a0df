#pragma once

#include <string>
#include <vector>

#include "spec/spec_context.hpp"

namespace gtune {

/// Reads "pinned", or "{MEMORY}" for a parameter whose values are kinds of memory.
[[nodiscard]] MemorySpec read_memory(const SpecContext& context, const TomlValue& value,
                                     const std::vector<Parameter>& params, const std::string& what);

}  // namespace gtune
