#pragma once

#include <cstdint>
#include <string>

#include "spec/spec_context.hpp"

namespace gtune {

/// Whether a parameter's value may be of this kind.
[[nodiscard]] bool is_value_kind(TomlValue::Kind kind);

/// Reads a parameter's value as an integer: booleans are 1 or 0, strings and floats the integer of
/// their word (see model/value_word.hpp). `what` names it in errors.
[[nodiscard]] std::int64_t read_value(const SpecContext& context, const TomlValue& value,
                                      const std::string& what);

}  // namespace gtune
