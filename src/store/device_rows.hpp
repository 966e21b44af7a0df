#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>

#include "model/device_limits.hpp"

namespace gtune {

/// The columns of a device's limits, in the order of k_device_limits. Each is what `form` makes of
/// its name, which replaces {}.
[[nodiscard]] std::string limit_columns(const std::string& form = "{}");

/// The limits in a statement's current row, whose columns are limit_columns().
[[nodiscard]] DeviceLimits read_limits(const SQLite::Statement& statement);

}  // namespace gtune
