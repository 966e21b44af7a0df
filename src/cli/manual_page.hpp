#pragma once

#include "cli/command_help.hpp"

namespace gtune {

/// "gtune-db-merge"
[[nodiscard]] std::string manual_name(const CommandHelp& help);

/// A page of section 1 in the language of man(7). `others`: the names of the pages to see also.
[[nodiscard]] std::string manual_page(const CommandHelp& help,
                                      const std::vector<std::string>& others);

}  // namespace gtune
