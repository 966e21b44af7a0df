#pragma once

namespace gtune {

/// From now on the first Ctrl-C (SIGINT) or SIGTERM only sets a flag; a second one ends the
/// program at once.
void catch_interrupts();
[[nodiscard]] bool interrupt_requested();

}  // namespace gtune
