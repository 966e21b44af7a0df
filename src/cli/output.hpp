#pragma once

#include <string_view>

namespace gtune {

/// Writes to standard output, with spaces for what a terminal would take for a command: names may
/// be from a file of someone else. Throws UserError(failed) where it takes no more: full, closed.
void print_out(std::string_view text);

/// The same text, emphasised on a terminal that shows colours.
void print_heading(std::string_view text);

/// Sends what is buffered on its way; throws like print_out.
void flush_out();

}  // namespace gtune
