#pragma once

#include "support/toy_recording.hpp"

namespace gtune::fuzz {

using test::toy_kernel;

/// A recording of six configurations of the toy kernel, one of them failed, and of its baseline,
/// with metrics.
[[nodiscard]] Recording few_toy_measurements();

}  // namespace gtune::fuzz
