#pragma once

#include <string>
#include <vector>

#include "cli/device_choice.hpp"
#include "cli/tune_command.hpp"
#include "tune/kernel_session.hpp"

// What the options of a tuning command mean for the tuner.
namespace gtune {

/// `trace`: null for none.
[[nodiscard]] SessionOptions session_options(const TuneOptions& options,
                                             const std::vector<DeviceChoice>& devices,
                                             Trace* trace);

/// `command_line`: as it was typed, to be stored. Throws UserError(usage).
[[nodiscard]] RunSettings run_settings(const TuneOptions& options, const std::string& command_line);

}  // namespace gtune
