#pragma once

#include <vector>

#include "model/machine_state.hpp"
#include "report/health_check.hpp"

namespace gtune {

/// Judges the state of a machine without its GPUs.
[[nodiscard]] std::vector<HealthCheck> machine_checks(const MachineState& machine);

}  // namespace gtune
