#include "toy.hpp"

#include "model/statistics.hpp"
#include "space/enumerate.hpp"
#include "spec/device_table.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"
#include "tune/identity.hpp"

namespace gtune::fuzz {
namespace {

RecordedMeasurement made_up(const Config& config, std::size_t number) {
  RecordedMeasurement recorded;
  Measurement& m = recorded.measurement;
  m.config = config;
  m.gpu_ms = 5;
  if (number == 3) {
    m.status = Status::launch_error;
    m.reason = "made up: too many resources";
    return recorded;
  }
  const double ms = 1 + 0.1 * static_cast<double>(number);
  std::vector<double> samples;
  for (int i = 0; i < 20; ++i) samples.push_back(ms * (1 + 0.001 * (i % 7)));
  m.timing = summarise(samples);
  m.timing->sm_clock_mhz = 1980;
  m.max_error = 0.5;
  m.resources = ResourceUsage{};
  m.resources->registers = 16;
  recorded.passed_awkward = true;
  recorded.metrics = {{"ipc", 1.5, "inst/cycle", ""},
                      {"l2_hit_rate", std::nullopt, "percent", "not supported"}};
  return recorded;
}

}  // namespace

KernelSpec toy_spec() { return read_spec(GTUNE_SOURCE_DIR "/tests/cli/data/toy.toml", {}); }

Recording toy_recording() {
  constexpr std::size_t most = 6;
  const KernelSpec spec = toy_spec();
  Recording recording;
  recording.kernel = identity_of(spec);
  recording.toolchain = {"580.1", "13.0", "13.0", "", "0.1.0"};
  recording.device = typical_device("sm_90");
  recording.device.name = "Made-up GPU";
  recording.device.uuid = "GPU-made-up";
  recording.device.fma_tflops = 60;
  recording.device.dram_gbps = 4000;
  recording.problem = expand_problems(spec, {}).front();
  recording.created = "2026-01-01T00:00:00Z";
  recording.command = "made up";
  const SearchSpace space = enumerate(spec, recording.problem, recording.device).space;
  for (std::size_t i = 0; i < most; ++i) {
    recording.measurements.push_back(made_up(space.config(i * 7), i));
  }
  RecordedMeasurement plain;
  plain.measurement.phase = Phase::baseline;
  plain.measurement.label = "plain";
  plain.measurement.timing = summarise({3, 3.01, 3.02, 3, 3.01, 3, 3.03});
  recording.measurements.push_back(plain);
  return recording;
}

}  // namespace gtune::fuzz
