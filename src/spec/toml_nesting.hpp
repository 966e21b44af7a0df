#pragma once

#include <string>
#include <string_view>

namespace gtune {

/// Throws UserError (usage), "file:line: ...", if arrays, tables or dotted keys nest deeper than
/// any spec needs: parsing or freeing them could overflow the stack.
void check_toml_nesting(std::string_view text, const std::string& file);

}  // namespace gtune
