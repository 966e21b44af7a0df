#pragma once

#include <string>

#include "spec/spec_context.hpp"

namespace gtune {

/// The key 'type' of a table, which `what` names in errors: f32, i32 and so on.
[[nodiscard]] ElementType read_element_type(const SpecContext& context, const TomlValue& table,
                                            const std::string& what);

}  // namespace gtune
