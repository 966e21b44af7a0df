#pragma once

#include <vector>

#include "model/device_facts.hpp"
#include "report/document.hpp"

namespace gtune {

/// GPUs, by the numbers that --device takes. JSON is an array with all facts of each.
[[nodiscard]] Document device_report(const std::vector<DeviceFacts>& devices);

}  // namespace gtune
