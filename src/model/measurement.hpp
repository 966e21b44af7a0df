#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/named_values.hpp"
#include "model/timing_mode.hpp"

namespace gtune {

enum class Status { ok, compile_error, launch_error, wrong_result, timeout, crashed, pruned };

[[nodiscard]] std::string_view to_string(Status status);
/// Throws std::invalid_argument for an unknown word.
[[nodiscard]] Status status_from_string(std::string_view word);

/// Which part of a run a measurement belongs to.
enum class Phase { search, final, baseline };

[[nodiscard]] std::string_view to_string(Phase phase);
/// Throws std::invalid_argument for an unknown word.
[[nodiscard]] Phase phase_from_string(std::string_view word);

/// A kernel's resources as the compiler reports them, and the resulting occupancy. Sizes in bytes.
struct ResourceUsage {
  int registers = 0;  // per thread
  int stack_bytes = 0;
  int spill_store_bytes = 0;
  int spill_load_bytes = 0;
  std::int64_t static_shared_bytes = 0;
  std::int64_t dynamic_shared_bytes = 0;
  std::int64_t cubin_bytes = 0;
  int blocks_per_sm = 0;             // resident at once, in theory
  double theoretical_occupancy = 0;  // 0..1
  std::string occupancy_limit;       // "registers", "shared memory", "block size", "blocks"
};

/// Samples of one kernel's time, in milliseconds, and their statistics.
struct Timing {
  std::vector<double> samples_ms;
  double median_ms = 0;
  double min_ms = 0;
  double p95_ms = 0;
  double mean_ms = 0;
  double ci_low_ms = 0;  // 95 % confidence interval of the median
  double ci_high_ms = 0;
  std::optional<double> sm_clock_mhz;  // median over the samples; absent without NVML
  int throttled_samples = 0;           // repeated because the clock was low
  TimingMode mode = {};
  bool converged = false;        // the interval is as narrow as requested
  bool discarded_early = false;  // stopped because it was clearly slower than the best
};

/// The time of one step of a kernel's run, measured separately.
struct StepTime {
  std::string name;
  double ms = 0;
};

/// One configuration measured once on one problem.
struct Measurement {
  Config config;
  Phase phase = Phase::search;
  std::string label;  // a baseline's name; empty otherwise
  Status status = Status::ok;
  std::string reason;  // why the status is not ok; one line
  std::optional<ResourceUsage> resources;
  std::optional<Timing> timing;
  std::optional<double> max_error;  // largest |out - reference| / tolerance seen; <= 1 passes
  double compile_ms = 0;            // 0 if the cubin came from the cache
  double gpu_ms = 0;                // time the worker spent on it: load, check, samples

  [[nodiscard]] bool ok() const { return status == Status::ok && timing.has_value(); }
};

}  // namespace gtune
