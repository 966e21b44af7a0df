#pragma once

#include <string>
#include <string_view>

namespace gtune {

/// Checks what toml++ 3.3 takes for granted of a text: that arrays, tables and dotted keys nest no
/// deeper than any spec needs, or it could overflow the stack, and that no character outside ASCII
/// stands where only blanks, keys and values may, or its search for blanks is undefined behaviour.
/// Throws UserError (usage), "file:line:column: ...".
void check_toml_text(std::string_view text, const std::string& file);

}  // namespace gtune
