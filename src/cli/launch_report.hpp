#pragma once

#include <vector>

#include "report/document.hpp"
#include "tune/single_run.hpp"

namespace gtune {

/// The times of launches, in ms.
[[nodiscard]] Document launch_report(const SingleRun& run, const std::vector<double>& times);

}  // namespace gtune
