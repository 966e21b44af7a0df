#pragma once

namespace gtune {

/// Sends spdlog's lines to standard error as they are, but for what a terminal would take for a
/// command. With `verbose` also those of level debug, one per configuration.
void set_up_log(bool verbose);

}  // namespace gtune
