#pragma once

#include <string_view>

namespace gtune {

/// Writes to standard output, with spaces in place of control characters: names may come from
/// someone else's file. Throws UserError(failed) if writing fails: full, closed.
void print_out(std::string_view text);

/// The same text, emphasised on a terminal that shows colours.
void print_heading(std::string_view text);

/// Writes what is buffered; throws like print_out.
void flush_out();

}  // namespace gtune
