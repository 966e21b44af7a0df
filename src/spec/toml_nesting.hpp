#pragma once

#include <string>
#include <string_view>

namespace gtune {

/// Throws UserError (usage), "file:line: ...", where arrays, tables or dotted keys nest deeper than
/// any spec needs: reading and freeing them would use up the stack.
void check_toml_nesting(std::string_view text, const std::string& file);

}  // namespace gtune
