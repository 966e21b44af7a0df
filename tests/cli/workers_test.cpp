// Several workers for one run: sharing, and the loss of one of them.
#include <algorithm>

#include "workers_fixture.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

TEST_F(Workers, ShareOneRunAndFindTheSame) {
  const std::string both = replay(recording) + "," + replay(twin("GPU-twin"));
  const ProgramResult result = gtune(toy_on(both, {"--json"}), {"GTUNE_REPLAY_DELAY_MS=5"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json out = json::parse(result.out);
  EXPECT_EQ(out["best"]["config"], json({{"BLOCK", 256}, {"UNROLL", 4}, {"VARIANT", 1}}));
  EXPECT_EQ(out["tried"], 69);
  EXPECT_EQ(out["statuses"]["ok"], 65);
  expect_each_once(69);
  // Each measurement is labelled with the device that made it.
  const std::string of_twin =
      "SELECT COUNT(*) FROM measurement JOIN device ON device.id = measurement.device_id "
      "WHERE device.uuid = 'GPU-twin' AND ";
  EXPECT_GT(count(of_twin + "phase = 'search'"), 20);
  EXPECT_LT(count(of_twin + "phase = 'search'"), 49);
  // Close comparisons are made on one device.
  EXPECT_EQ(count(of_twin + "phase <> 'search'"), 0);
  EXPECT_EQ(count("SELECT COUNT(DISTINCT device_id) FROM measurement WHERE phase = 'final'"), 1);
}

TEST_F(Workers, OfDifferentModelsShareNoRun) {
  const ProgramResult result =
      gtune(toy_on(replay(recording) + "," + replay(twin("GPU-other", "Another GPU"))));
  EXPECT_EQ(result.exit_code, 2);
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find("replay 1 and replay 2 cannot share a run"), std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("Another GPU"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(database));
}

TEST_F(Workers, ADeviceIsNamedOnce) {
  const ProgramResult twice = gtune(toy_on("0,0"));
  EXPECT_EQ(twice.exit_code, 2);
  expect_one_clear_line(twice);
  EXPECT_NE(twice.err.find("twice"), std::string::npos) << twice.err;
  for (const char* wrong : {"0,", "0,gpu", "all,0", ",", "replay,all"}) {
    const ProgramResult result = gtune(toy_on(wrong));
    EXPECT_EQ(result.exit_code, wrong == std::string("replay,all") ? 5 : 2) << wrong;
    expect_one_clear_line(result);
  }
}

TEST_F(Workers, ACommaInARecordingsNameIsPartOfIt) {
  const std::filesystem::path file = folder / "toy,late.jsonl";
  std::filesystem::copy_file(recording, file);
  const ProgramResult result =
      gtune(toy_on(replay(file) + "," + replay(recording), {"--budget", "5", "--quiet"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(Workers, OneThatCannotStartDropsOut) {
  // The file passes when the command line is read, but no worker can read it to its end.
  const std::filesystem::path damaged = twin("GPU-damaged");
  std::filesystem::resize_file(damaged, std::filesystem::file_size(damaged) - 10);
  const ProgramResult result =
      gtune(toy_on(replay(damaged) + "," + replay(recording), {"--json", "--quiet"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_NE(result.err.find("replay 1 drops out, 1 worker continues: "), std::string::npos)
      << result.err;
  EXPECT_EQ(json::parse(result.out)["device"]["uuid"], "GPU-made-up");
  expect_each_once(69);
}

/// Both are lost at the first request for metrics: that costs no measurement.
TEST_F(Workers, AStrategyGoesOnWithoutTheMetricsThatWorkersAreLostOver) {
  Recording recorded = read_recording(recording);
  for (RecordedMeasurement& each : recorded.measurements) {
    if (each.measurement.timing) each.metrics = {{"dram_throughput", 42.5, "percent", ""}};
  }
  write_recording(recorded, recording);
  const auto tune = [&](const std::vector<std::string>& environment) {
    std::filesystem::remove(database);
    const ProgramResult result =
        gtune(toy_on(replay(recording) + "," + replay(twin("GPU-twin")),
                     {"--json", "--strategy", "profile-guided", "--budget", "40"}),
              environment);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(json::parse(result.out)["tried"], 40);
    expect_each_once(40);
    return result.err;
  };
  const std::string with_metrics =
      "SELECT COUNT(DISTINCT measurement_id) FROM metric JOIN measurement "
      "ON id = measurement_id WHERE phase = 'search'";
  EXPECT_EQ(tune({}).find("no hardware metrics"), std::string::npos);
  EXPECT_GT(count(with_metrics), 5);
  const std::string err = tune({"GTUNE_FAULT=worker:crash@profile#1"});
  EXPECT_NE(err.find("profile-guided has no hardware metrics to go by"), std::string::npos) << err;
}

TEST_F(Workers, ARecordingIsOfOneDevice) {
  const ProgramResult result = gtune(toy_on(replay(recording) + "," + replay(recording),
                                            {"--record", (folder / "new.jsonl").string()}));
  EXPECT_EQ(result.exit_code, 2);
  expect_one_clear_line(result);
}

TEST_F(Workers, CompileTogether) {
  const ProgramResult result = gtune(toy_on(replay(recording) + "," + replay(recording),
                                            {"--json", "--compile", "--budget", "12"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out)["tried"], 12);
}

}  // namespace
}  // namespace gtune::test
