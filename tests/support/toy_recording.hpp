#pragma once

#include "spec/kernel_spec.hpp"
#include "worker/recording.hpp"

// A kernel small enough for a run of milliseconds, and made-up measurements of it.
namespace gtune::test {

/// The spec tests/cli/data/toy.toml.
[[nodiscard]] KernelSpec toy_kernel();

/// Measurements of every configuration, some of them failed, and of the baseline. The fastest has
/// BLOCK 256, UNROLL 4 and VARIANT 1.
[[nodiscard]] Recording toy_recording();

}  // namespace gtune::test
