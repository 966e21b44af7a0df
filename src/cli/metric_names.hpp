#pragma once

#include <string>
#include <vector>

#include "cli/device_choice.hpp"

namespace gtune {

/// Throws UserError (usage), with a suggestion, if a name is not a metric of the first device's
/// chip. Without CUPTI or a known chip, CUPTI's own names are not checked.
void check_metric_names(const std::vector<std::string>& names,
                        const std::vector<DeviceChoice>& devices);

}  // namespace gtune
