#pragma once

#include <string>

#include "spec/spec_context.hpp"

namespace gtune {

/// Reads an expression of an element's index `i`, over sizes and device facts: its contents, or
/// whether it is compared. Typed as in C; its last slot is the index. `what` names it in errors.
[[nodiscard]] Expression read_element_expression(const SpecContext& context, const TomlValue& value,
                                                 const std::string& what);

}  // namespace gtune
