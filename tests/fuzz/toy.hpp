#pragma once

#include "spec/kernel_spec.hpp"
#include "worker/recording.hpp"

// A kernel small enough for a run of milliseconds, for targets that need one.
namespace gtune::fuzz {

[[nodiscard]] KernelSpec toy_spec();
/// Of six of its configurations, one of which failed, and of its baseline.
[[nodiscard]] Recording toy_recording();

}  // namespace gtune::fuzz
