#pragma once

#include <vector>

#include "model/device_facts.hpp"
#include "report/document.hpp"

namespace gtune {

/// GPUs, numbered as --device takes them. JSON is an array with all facts of each.
[[nodiscard]] Document device_report(const std::vector<DeviceFacts>& devices);

}  // namespace gtune
