#pragma once

#include <string>
#include <vector>

#include "model/statistics.hpp"
#include "worker/messages.hpp"
#include "worker/recording.hpp"

namespace gtune::test {

/// Ten samples that all differ widely, so no stopping rule accepts them early.
inline const std::vector<double> ten_samples = {1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5};

inline RecordedMeasurement recorded_ok(Config config, const std::vector<double>& samples_ms) {
  RecordedMeasurement recorded;
  recorded.measurement.config = std::move(config);
  recorded.measurement.timing = summarise(samples_ms);
  recorded.measurement.gpu_ms = 30;
  return recorded;
}

inline RecordedMeasurement recorded_failure(Config config, Status status,
                                            const std::string& reason) {
  RecordedMeasurement recorded;
  recorded.measurement.config = std::move(config);
  recorded.measurement.status = status;
  recorded.measurement.reason = reason;
  return recorded;
}

inline ResourceUsage some_resources() {
  ResourceUsage usage;
  usage.registers = 96;
  usage.spill_store_bytes = 8;
  usage.dynamic_shared_bytes = 32768;
  usage.cubin_bytes = 9000;
  usage.blocks_per_sm = 2;
  usage.theoretical_occupancy = 0.25;
  usage.occupancy_limit = "registers";
  return usage;
}

/// A recording of a kernel with parameters A and B: four configurations, one of them wrong, and a
/// baseline.
inline Recording some_recording() {
  Recording recording;
  recording.kernel = {"copy", "5000", "5bec", {"n"}, {"A", "B"}};
  recording.toolchain = {"580.159", "13.0", "13.1", "", "0.1.0"};
  recording.device.name = "NVIDIA H200";
  recording.device.cc_major = 9;
  recording.device.sm_count = 132;
  recording.device.limits.fma_tflops = 60.5;
  recording.problem = {{"n", 1024}};
  recording.created = "2026-01-02T03:04:05Z";
  recording.command = "gtune copy --n 1024";

  RecordedMeasurement full = recorded_ok({{"A", 1}, {"B", 2}}, ten_samples);
  full.measurement.compile_ms = 12.5;
  full.measurement.max_error = 0.25;
  full.measurement.resources = some_resources();
  full.measurement.timing->sm_clock_mhz = 1980;
  full.measurement.timing->throttled_samples = 3;
  full.passed_awkward = true;
  full.metrics = {{"ipc", 1.5, "inst/cycle", ""}, {"l2_hit_rate", std::nullopt, "percent", "none"}};
  RecordedMeasurement steady = recorded_ok({{"A", 1}, {"B", 1}}, std::vector<double>(10, 2.0));
  steady.passed_awkward = false;
  RecordedMeasurement baseline = recorded_ok({}, {7.0, 8.0, 9.0});
  baseline.measurement.phase = Phase::baseline;
  baseline.measurement.label = "naive";
  recording.measurements = {
      full, steady, recorded_ok({{"A", 4}, {"B", 1}}, {6.0}),
      recorded_failure({{"A", 2}, {"B", 2}}, Status::wrong_result, "out[3] is 1, not 2"), baseline};
  return recording;
}

/// Requests exactly `samples` samples of a configuration, whatever their values.
inline Measure measure_request(Config config, int samples = 7) {
  Measure request;
  request.problem = {{"n", 1024}};
  request.config = std::move(config);
  request.sampling.min_samples = samples;
  request.sampling.max_samples = samples;
  return request;
}

}  // namespace gtune::test
