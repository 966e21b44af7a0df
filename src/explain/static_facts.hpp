#pragma once

#include <optional>

#include "model/measurement.hpp"
#include "model/plan.hpp"
#include "report/throughput.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// The roofline (Williams, Waterman, Patterson 2009) under the limits measured on the device.
struct Roof {
  bool of_compute = false;  // the FMA units bound the work, else device memory
  double least_ms = 0;      // that the work takes at the limit
  double share = 0;         // of the measured time, 0..1
};

/// What follows for a measurement without counters. Absent: not known.
struct StaticFacts {
  std::optional<LaunchPlan> launch;
  std::optional<double> blocks;       // of the grid
  std::optional<double> waves;        // the grid over the blocks that are resident at a time
  std::optional<double> idle_places;  // of blocks' places and waves, those without a block, 0..1
  std::optional<double> intensity;    // floating-point operations per byte of the work
  Throughput speed;
  std::optional<Roof> roof;
};

/// `measured`: right, of this spec's kernel or of one of its baselines.
[[nodiscard]] StaticFacts find_static_facts(const KernelSpec& spec, const Problem& problem,
                                            const DeviceFacts& device, const Measurement& measured);

}  // namespace gtune
