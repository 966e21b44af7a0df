#pragma once

#include <cstdint>
#include <string>

#include "spec/spec_context.hpp"

namespace gtune {

/// Whether a parameter's value may be written so.
[[nodiscard]] bool is_value_kind(TomlValue::Kind kind);

/// A value of a parameter: an integer; a boolean, which is 1 or 0; a string or a float, which is
/// the integer of its word. `what` is its name in errors.
[[nodiscard]] std::int64_t read_value(const SpecContext& context, const TomlValue& value,
                                      const std::string& what);

}  // namespace gtune
