#pragma once

#include <vector>

#include "model/machine_state.hpp"
#include "report/health_check.hpp"

namespace gtune {

/// Judges the state of a GPU.
[[nodiscard]] std::vector<HealthCheck> gpu_checks(const GpuState& gpu);

}  // namespace gtune
