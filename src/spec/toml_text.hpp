#pragma once

#include <string>
#include <string_view>

namespace gtune {

/// Refuses texts that toml++ 3.3 cannot handle: arrays, tables and dotted keys that nest deeper
/// than any spec needs, which could overflow the stack; and characters outside ASCII where it looks
/// for blanks, which is undefined behaviour. Throws UserError (usage), "file:line:column: ...".
void check_toml_text(std::string_view text, const std::string& file);

}  // namespace gtune
