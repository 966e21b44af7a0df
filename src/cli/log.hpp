#pragma once

namespace gtune {

/// Sends spdlog's lines to standard error, without control characters. With `verbose` also those of
/// level debug, one per configuration.
void set_up_log(bool verbose);

}  // namespace gtune
