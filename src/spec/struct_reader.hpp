#pragma once

#include <string>

#include "spec/spec_context.hpp"

namespace gtune {

/// Reads an argument of type "struct". `what` names it in errors. Whether its members point to
/// buffers is checked later, when all arguments are known.
[[nodiscard]] StructSpec read_struct(const SpecContext& context, const TomlValue& table,
                                     const std::string& what);

}  // namespace gtune
