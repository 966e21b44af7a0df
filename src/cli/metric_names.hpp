#pragma once

#include <string>
#include <vector>

#include "cli/device_choice.hpp"

namespace gtune {

/// Throws UserError (usage), with what may have been meant, for a name that is no metric of the
/// device's chip. Where there is no CUPTI to ask, CUPTI's own names are taken as they are.
void check_metric_names(const std::vector<std::string>& names,
                        const std::vector<DeviceChoice>& devices);

}  // namespace gtune
