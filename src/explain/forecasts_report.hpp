#pragma once

#include <vector>

#include "explain/forecasts.hpp"
#include "model/device_facts.hpp"
#include "report/document.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// The checks of one device and problem.
struct ProblemForecasts {
  std::string device;
  Problem problem;
  CheckedForecasts checked;
};

/// The record of each rule over all problems; CSV has every check.
[[nodiscard]] Document forecasts_report(const KernelSpec& spec,
                                        const std::vector<ProblemForecasts>& problems);

}  // namespace gtune
