#pragma once

#include <string>
#include <vector>

#include "cli/device_choice.hpp"

namespace gtune {

/// Whether gtune or, judging by its form, CUPTI may know a metric of this name.
[[nodiscard]] bool may_be_metric(const std::string& name);

/// Throws UserError (usage), with a suggestion, if a name is not a metric of the first device's
/// chip. Without CUPTI or a known chip, CUPTI's own names are not checked.
void check_metric_names(const std::vector<std::string>& names,
                        const std::vector<DeviceChoice>& devices);

}  // namespace gtune
