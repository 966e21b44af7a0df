#pragma once

#include "support/toy_recording.hpp"

namespace gtune::fuzz {

using test::toy_kernel;

/// Of six configurations of the toy kernel, one of which failed, and of its baseline, with metrics.
[[nodiscard]] Recording few_toy_measurements();

}  // namespace gtune::fuzz
