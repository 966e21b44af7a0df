#include "support/toy_recording.hpp"

#include <cmath>

#include "model/statistics.hpp"
#include "space/enumerate.hpp"
#include "spec/device_table.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"
#include "tune/identity.hpp"

namespace gtune::test {
namespace {

/// A pseudo-random number between 0 and 1, determined by its argument.
double noise(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

RecordedMeasurement made_up(const Config& config, std::uint64_t number) {
  RecordedMeasurement recorded;
  Measurement& m = recorded.measurement;
  m.config = config;
  m.gpu_ms = 5;
  if (number % 17 == 3) {
    m.status = Status::launch_error;
    m.reason = "made up: too many resources";
    return recorded;
  }
  // Best at BLOCK 256, UNROLL 4, VARIANT 1; neighbours have similar times.
  const auto distance = [&](const char* name, double best) {
    return std::abs(std::log2(static_cast<double>(*config.find(name))) - std::log2(best));
  };
  const double ms = 1 + 0.11 * distance("BLOCK", 256) + 0.07 * distance("UNROLL", 4) +
                    0.05 * static_cast<double>(std::abs(*config.find("VARIANT") - 1));
  std::vector<double> samples;
  for (std::uint64_t i = 0; i < 60; ++i)
    samples.push_back(ms * (1 + 0.002 * noise(number * 64 + i)));
  m.timing = summarise(samples);
  m.timing->sm_clock_mhz = 1980;
  m.resources = ResourceUsage{};
  m.resources->registers = 16 + static_cast<int>(number % 7);
  recorded.passed_awkward = true;
  return recorded;
}

}  // namespace

KernelSpec toy_kernel() { return read_spec(GTUNE_SOURCE_DIR "/tests/cli/data/toy.toml", {}); }

Recording toy_recording() {
  const KernelSpec spec = toy_kernel();
  Recording recording;
  recording.kernel = identity_of(spec);
  recording.toolchain = {"1.0", "13.0", "13.0", "", "0.1.0"};
  recording.device = typical_device("sm_90");
  recording.device.name = "Made-up GPU";
  recording.device.uuid = "GPU-made-up";
  recording.device.limits.fma_tflops = 60;
  recording.device.limits.dram_gbps = 4000;
  recording.problem = expand_problems(spec, {}).front();
  recording.created = "2026-01-01T00:00:00Z";
  recording.command = "made up";
  const SearchSpace space = enumerate(spec, recording.problem, recording.device).space;
  for (std::size_t i = 0; i < space.size(); ++i) {
    recording.measurements.push_back(made_up(space.config(i), i));
  }
  RecordedMeasurement plain;
  plain.measurement.phase = Phase::baseline;
  plain.measurement.label = "plain";
  plain.measurement.timing = summarise({3, 3.01, 3.02, 3, 3.01, 3, 3.03});
  recording.measurements.push_back(plain);
  return recording;
}

}  // namespace gtune::test
