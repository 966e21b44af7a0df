#include "fixture.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <unistd.h>

#include <algorithm>

#include "model/statistics.hpp"
#include "support/build_under_test.hpp"
#include "support/toy_recording.hpp"

namespace gtune::test {

namespace fs = std::filesystem;

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
  return {"GTUNE_DB=" + database.string(), "GTUNE_CACHE=" + (folder / "cache").string(),
          "GTUNE_ALSO="};
}

ProgramResult CliTest::gtune(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& more, int limit_s) const {
  std::vector<std::string> argv = {test::gtune_binary()};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  std::vector<std::string> all = environment();
  all.insert(all.end(), more.begin(), more.end());
  return run_program(argv, all, limit_s);
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
  made.mode.order = LaunchOrder::warm;
  for (RecordedMeasurement& each : made.measurements) {
    if (!each.measurement.timing) continue;
    each.measurement.timing->mode.order = LaunchOrder::warm;
    if (each.measurement.config.find("BLOCK") != 64) continue;
    for (double& sample : each.measurement.timing->samples_ms) sample /= 2;
    each.measurement.timing = summarise(each.measurement.timing->samples_ms);
  }
  const auto file = folder / "warm.jsonl";
  write_recording(made, file);
  const ProgramResult result =
      gtune({"tune", data + "/toy.toml", "--device", "replay:" + file.string(), "--timing", "warm",
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
