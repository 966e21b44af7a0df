#include "fixture.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "model/statistics.hpp"
#include "space/enumerate.hpp"
#include "spec/device_table.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"
#include "tune/identity.hpp"
#include "worker/recording.hpp"

namespace gtune::test {
namespace {

namespace fs = std::filesystem;

/// Between 0 and 1, fixed by its argument.
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
  // Best at BLOCK 256, UNROLL 4, VARIANT 1; neighbours are near in time.
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

Recording toy_recording() {
  const KernelSpec spec = read_spec(data + "/toy.toml", {});
  Recording recording;
  recording.kernel = identity_of(spec);
  recording.toolchain = {"1.0", "13.0", "13.0", "", "0.1.0"};
  recording.device = typical_device("sm_90");
  recording.device.name = "Made-up GPU";
  recording.device.uuid = "GPU-made-up";
  recording.device.fma_tflops = 60;
  recording.device.dram_gbps = 4000;
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

}  // namespace

CliTest::CliTest() {
  char name[] = "/tmp/gtune-cli-XXXXXX";
  folder = mkdtemp(name);
  database = folder / "gtune.db";
  recording = folder / "toy.jsonl";
  write_recording(toy_recording(), recording);
}

CliTest::~CliTest() {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

std::vector<std::string> CliTest::environment() const {
  return {"GTUNE_DB=" + database.string(), "GTUNE_CACHE=" + (folder / "cache").string()};
}

ProgramResult CliTest::gtune(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& more) const {
  std::vector<std::string> argv = {GTUNE_BINARY};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  std::vector<std::string> all = environment();
  all.insert(all.end(), more.begin(), more.end());
  return run_program(argv, all);
}

std::vector<std::string> CliTest::toy(const std::vector<std::string>& more) const {
  std::vector<std::string> arguments = {"tune", data + "/toy.toml", "--device",
                                        "replay:" + recording.string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

nlohmann::json CliTest::tune_toy(const std::vector<std::string>& more,
                                 const std::vector<std::string>& environment) const {
  std::vector<std::string> arguments = toy(more);
  arguments.emplace_back("--json");
  const ProgramResult result = gtune(arguments, environment);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out, nullptr, false);
}

void CliTest::store_winner(const std::string& device, int cc, std::int64_t n, std::int64_t block,
                           const std::string& uuid) const {
  Recording made = read_recording(recording);
  made.device.name = device;
  made.device.uuid = uuid.empty() ? "GPU-" + device : uuid;
  made.device.cc_major = cc / 10;
  made.device.cc_minor = cc % 10;
  made.problem = {{"n", n}};
  std::erase_if(made.measurements, [&](const RecordedMeasurement& each) {
    const auto value = each.measurement.config.find("BLOCK");
    return value && *value != block;
  });
  const auto file = folder / "made.jsonl";
  write_recording(made, file);
  const ProgramResult result = gtune({"tune", data + "/toy.toml", "--n", std::to_string(n),
                                      "--device", "replay:" + file.string(), "--quiet"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

void CliTest::take_for_measured() const {
  SQLite::Database(database.string(), SQLite::OPEN_READWRITE)
      .exec("UPDATE device SET replayed = 0, facts = json_set(facts, '$.replayed', json('false'))");
}

void CliTest::store_with_warm_l2() const {
  Recording made = read_recording(recording);
  made.l2_flushed = false;
  for (RecordedMeasurement& each : made.measurements) {
    if (!each.measurement.timing) continue;
    each.measurement.timing->l2_flushed = false;
    if (each.measurement.config.find("BLOCK") != 64) continue;
    for (double& sample : each.measurement.timing->samples_ms) sample /= 2;
    each.measurement.timing = summarise(each.measurement.timing->samples_ms);
  }
  const auto file = folder / "warm.jsonl";
  write_recording(made, file);
  const ProgramResult result =
      gtune({"tune", data + "/toy.toml", "--device", "replay:" + file.string(), "--no-flush",
             "--strategy", "exhaustive", "--quiet"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

void expect_one_clear_line(const ProgramResult& result) {
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_TRUE(result.err.starts_with("gtune: ")) << result.err;
  EXPECT_EQ(result.err.find("terminate"), std::string::npos) << result.err;
  EXPECT_EQ(result.out, "");
}

}  // namespace gtune::test
