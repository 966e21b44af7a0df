#pragma once

#include <optional>
#include <vector>

#include "explain/run_steps.hpp"
#include "model/measurement.hpp"
#include "model/plan.hpp"
#include "report/throughput.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// The roofline (Williams, Waterman, Patterson 2009) with the limits measured on the device.
struct Roof {
  bool of_compute = false;  // true: FMA units bound the work; false: device memory
  double least_ms = 0;      // time of the work at the limit
  double share = 0;         // least_ms over the measured time, 0..1
};

/// Facts about a measurement that need no counters; absent if unknown.
struct StaticFacts {
  std::vector<RunStep> steps;         // of a timed run; empty if unknown
  std::optional<LaunchPlan> launch;   // of the only step
  std::optional<double> blocks;       // of the grid
  std::optional<double> waves;        // blocks of the grid over blocks resident at a time
  std::optional<double> idle_places;  // share of the waves' places that have no block, 0..1
  std::optional<double> intensity;    // floating-point operations per byte of the work
  Throughput speed;
  std::optional<Roof> roof;
};

/// `measured`: a correct measurement of this spec's kernel or of one of its baselines.
[[nodiscard]] StaticFacts find_static_facts(const KernelSpec& spec, const Problem& problem,
                                            const DeviceFacts& device, const Measurement& measured);

}  // namespace gtune
