#pragma once

#include <string>

#include "spec/spec_context.hpp"

namespace gtune {

/// Reads the key 'type' of a table: f32, i32 and so on. `what` names the table in errors.
[[nodiscard]] ElementType read_element_type(const SpecContext& context, const TomlValue& table,
                                            const std::string& what);

}  // namespace gtune
