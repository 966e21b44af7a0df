#pragma once

#include "cli/command_help.hpp"

namespace gtune {

/// Prints what --help shows, as wide as the terminal; headings in bold where it has colours.
void print_help(const CommandHelp& help);

}  // namespace gtune
