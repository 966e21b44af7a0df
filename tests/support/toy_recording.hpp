#pragma once

#include "spec/kernel_spec.hpp"
#include "worker/recording.hpp"

// A kernel small enough for a run of milliseconds, and made-up measurements of it.
namespace gtune::test {

/// tests/cli/data/toy.toml.
[[nodiscard]] KernelSpec toy_kernel();

/// Of every configuration, some of which failed, and of the baseline. The fastest has BLOCK 256,
/// UNROLL 4 and VARIANT 1.
[[nodiscard]] Recording toy_recording();

}  // namespace gtune::test
