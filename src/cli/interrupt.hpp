#pragma once

namespace gtune {

/// From now on the first Ctrl-C (SIGINT) or SIGTERM only sets a flag; a second one ends the
/// program at once.
void catch_interrupts();
[[nodiscard]] bool interrupt_requested();

/// The same; the signal also ends long work on databases with UserError(interrupted).
void catch_database_interrupts();

}  // namespace gtune
