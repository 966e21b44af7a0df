#pragma once

namespace gtune {

/// Sends spdlog's lines to standard error as they are: what a line says is its own text. With
/// `verbose` also those of level debug, one per configuration.
void set_up_log(bool verbose);

}  // namespace gtune
