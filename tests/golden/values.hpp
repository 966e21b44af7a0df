#pragma once

#include <string>
#include <vector>

#include "answer/answer.hpp"
#include "model/statistics.hpp"
#include "spec/spec_reader.hpp"
#include "store/records.hpp"

// Fixed values for the reports of these tests; none was measured.
namespace gtune::test {

inline const KernelSpec& matmul() {
  static const KernelSpec spec =
      read_spec(std::string(GTUNE_SOURCE_DIR) + "/tests/golden/matmul.toml", {});
  return spec;
}

inline DeviceFacts made_up_gpu(const std::string& name = "Made-up GPU") {
  DeviceFacts device;
  device.name = name;
  device.uuid = "GPU-" + name;
  device.cc_major = 9;
  device.sm_count = 132;
  device.max_sm_clock_mhz = 1980;
  device.l2_bytes = 50 << 20;
  device.memory_bytes = std::int64_t{80} << 30;
  device.driver_version = "580.1";
  device.limits = {
      .fma_tflops = 60, .tensor_tflops = 400, .dram_gbps = 4000, .l2_gbps = 5500, .l1_gbps = 30000};
  return device;
}

inline Toolchain made_up_toolchain() { return {"580.1", "13.0", "13.1", "", "0.1.0"}; }

inline Problem square(std::int64_t m, std::int64_t t = 0) {
  return {{"M", m}, {"N", m}, {"K", m}, {"T", t}};
}

inline Config config_of(std::int64_t tile, std::int64_t stages) {
  return {{"TILE", tile}, {"STAGES", stages}};
}

inline StoredMeasurement timed(std::int64_t id, const Config& config, double ms) {
  StoredMeasurement stored;
  stored.id = MeasurementId{id};
  stored.created = "2026-01-02T03:04:05.678Z";
  Measurement& m = stored.measurement;
  m.config = config;
  std::vector<double> samples;
  for (int i = 0; i < 9; ++i) samples.push_back(ms * (1 + 0.001 * i));
  m.timing = summarise(samples);
  m.timing->sm_clock_mhz = 1755;
  ResourceUsage usage;
  usage.registers = 128;
  usage.static_shared_bytes = 1024;
  usage.dynamic_shared_bytes = 48128;
  usage.spill_store_bytes = 8;
  usage.theoretical_occupancy = 0.25;
  usage.occupancy_limit = "registers";
  m.resources = usage;
  return stored;
}

inline StoredMeasurement failed(std::int64_t id, const std::string& label, Status status,
                                const std::string& reason) {
  StoredMeasurement stored;
  stored.id = MeasurementId{id};
  stored.measurement.label = label;
  stored.measurement.status = status;
  stored.measurement.reason = reason;
  return stored;
}

inline Winner winner(const Problem& problem, const Config& config, double ms,
                     const std::string& device = "Made-up GPU") {
  Winner out;
  out.device = made_up_gpu(device);
  out.problem = problem;
  out.config = config;
  out.median_ms = ms;
  return out;
}

inline BestRow best_row(const Problem& problem, const Config& config, double ms) {
  BestRow row;
  row.device = made_up_gpu();
  row.toolchain = made_up_toolchain();
  row.problem = problem;
  row.best = timed(1, config, ms);
  row.complete = true;
  row.verified = true;
  row.gflops = 54321.5;
  row.gbps = 79.625;
  return row;
}

}  // namespace gtune::test
