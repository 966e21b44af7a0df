#pragma once

#include <vector>

#include "explain/forecasts.hpp"
#include "model/device_facts.hpp"
#include "report/document.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// The checks of one device and problem.
struct ProblemForecasts {
  DeviceFacts device;
  Problem problem;
  std::string source;              // of the measurements, for text; empty: the user's own
  std::size_t configurations = 0;  // with metrics
  CheckedForecasts checked;
};

/// The record of each rule over all problems; CSV has every check.
[[nodiscard]] Document forecasts_report(const KernelSpec& spec,
                                        const std::vector<ProblemForecasts>& problems);

}  // namespace gtune
