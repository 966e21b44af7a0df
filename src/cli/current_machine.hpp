#pragma once

#include <optional>

#include "model/machine_state.hpp"

namespace gtune {

/// Reads the state of this machine and of its GPUs; `device`: of this one alone. Changes nothing.
/// What is missing is absent in the result and no error.
[[nodiscard]] MachineState current_machine(std::optional<int> device);

}  // namespace gtune
