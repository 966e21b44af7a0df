#pragma once

#include <exception>
#include <string_view>

namespace gtune {

/// The reader of standard output has closed it, as `head` does: nobody waits for more, nor for a
/// complaint.
class OutputClosed : public std::exception {};

/// Writes to standard output, with spaces in place of control characters: names may come from
/// someone else's file. Throws OutputClosed, or UserError(failed) if writing fails otherwise.
void print_out(std::string_view text);

/// The same text, emphasised on a terminal that shows colours.
void print_heading(std::string_view text);

/// Writes what is buffered; throws like print_out.
void flush_out();

}  // namespace gtune
