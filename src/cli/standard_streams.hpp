#pragma once

namespace gtune {

/// Opens /dev/null for those of standard input, output and error that the program was started
/// without, so that no file of its own gets their number. Writing to such a standard output
/// fails, as it does on a closed one. Throws UserError if /dev/null cannot be opened.
void open_closed_standard_streams();

}  // namespace gtune
