#pragma once

#include <string>

#include "spec/spec_context.hpp"

namespace gtune {

/// An argument of type "struct". `what` names it in errors. Whether what its members are addresses
/// of are buffers is not looked at: arguments after it are not known yet.
[[nodiscard]] StructSpec read_struct(const SpecContext& context, const TomlValue& table,
                                     const std::string& what);

}  // namespace gtune
