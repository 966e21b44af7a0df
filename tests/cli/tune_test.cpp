// The main job on a recording: its output, stored rows, and a second run.
#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <limits>
#include <random>

#include "fixture.hpp"
#include "model/statistics.hpp"
#include "support/build_under_test.hpp"
#include "worker/recording.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class Tune : public CliTest {};

/// Number of configurations that a search has stored; 0 if there is no database yet.
int searched_rows(const std::filesystem::path& database) {
  if (!std::filesystem::exists(database)) return 0;
  SQLite::Database db(database.string());
  db.setBusyTimeout(10000);
  if (!db.tableExists("measurement")) return 0;
  return db.execAndGet("SELECT COUNT(*) FROM measurement WHERE phase='search'").getInt();
}

/// The least median of a bundled recording, in milliseconds.
double least_recorded_ms(const std::string& name) {
  const Recording recorded =
      read_recording(std::string(GTUNE_SOURCE_DIR) + "/db/recordings/" + name);
  double least = std::numeric_limits<double>::infinity();
  for (const auto& each : recorded.measurements) {
    if (each.measurement.ok()) least = std::min(least, each.measurement.timing->median_ms);
  }
  return least;
}

TEST_F(Tune, FindsTheBestOfTheRecording) {
  const json out = tune_toy();
  EXPECT_EQ(out["kernel"], "toy");
  EXPECT_EQ(out["device"]["name"], "Made-up GPU");
  EXPECT_EQ(out["device"]["replayed"], true);
  EXPECT_EQ(out["problem"]["n"], 1048576);
  EXPECT_EQ(out["best"]["config"], json({{"BLOCK", 256}, {"UNROLL", 4}, {"VARIANT", 1}}));
  EXPECT_NEAR(out["best"]["median_ms"], 1.0, 0.01);
  EXPECT_EQ(out["best"]["samples"], 40);
  EXPECT_NEAR(out["best"]["gflops"], 1.048, 0.01);
  EXPECT_EQ(out["tried"], 69);
  EXPECT_EQ(out["statuses"]["ok"], 65);
  EXPECT_EQ(out["statuses"]["launch_error"], 4);
  EXPECT_EQ(out["failures"][0]["reason"], "made up: too many resources");
  EXPECT_EQ(out["baselines"][0]["name"], "plain");
  EXPECT_EQ(out["checked_on_awkward_sizes"], true);
  EXPECT_EQ(out["from_store"], false);
}

TEST_F(Tune, WithoutABudgetItEndsByItself) {
  double sum = 0;  // the best two differ by 0.15 %, and which one a search finds is chance
  for (const char* seed : {"1", "2", "3"}) {
    const ProgramResult result =
        gtune({"sgemm", "--M", "4096", "--device", "replay", "--json", "--seed", seed});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const json out = json::parse(result.out);
    EXPECT_LT(out["tried"], 400);
    EXPECT_LT(out["ended_at_gain"], 0.0005);
    sum += out["best"]["median_ms"].get<double>();
  }
  EXPECT_LT(sum / 3, 1.004 * least_recorded_ms("sgemm-4096-h200.jsonl"));
  const ProgramResult all =
      gtune({"sgemm", "--M", "4096", "--device", "replay", "--json", "--budget", "600"});
  EXPECT_EQ(json::parse(all.out)["tried"], 600);
}

TEST_F(Tune, ParametersThatDoNotExistAreNotShown) {
  const ProgramResult result = gtune({"sgemm", "--device", "replay", "--budget", "5"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const std::string& text : {result.out, result.err}) {  // of slices, these have none
    EXPECT_NE(text.find("STAGES="), std::string::npos) << text;
    EXPECT_EQ(text.find("K_LANES="), std::string::npos) << text;
  }
  EXPECT_NE(result.out.find("run again"), std::string::npos);
}

TEST_F(Tune, SameSeedSameOutput) {
  json first = tune_toy({"--budget", "30", "--seed", "7"});
  std::filesystem::remove(database);
  json second = tune_toy({"--budget", "30", "--seed", "7"});
  for (const char* varies : {"finished"}) {
    first.erase(varies);
    second.erase(varies);
  }
  EXPECT_EQ(first, second);
}

TEST_F(Tune, AnotherSeedAnotherOrder) {
  const json first = tune_toy({"--budget", "20", "--strategy", "random", "--seed", "1"});
  const json second = tune_toy({"--budget", "20", "--strategy", "random", "--seed", "2"});
  EXPECT_EQ(first["tried"], 20);
  EXPECT_EQ(second["tried"], 20);
  // Twenty of 69 at random: the second run meets some of the first's in the database.
  SQLite::Database db(database.string());
  const int rows =
      db.execAndGet("SELECT COUNT(DISTINCT config_id) FROM measurement WHERE phase='search'")
          .getInt();
  EXPECT_GT(rows, 20);
  EXPECT_LT(rows, 40);
}

TEST_F(Tune, TheSecondTimeItIsInTheDatabase) {
  const json first = tune_toy();
  const json second = tune_toy();
  EXPECT_EQ(second["from_store"], true);
  EXPECT_EQ(second["best"], first["best"]);
  SQLite::Database db(database.string());
  EXPECT_EQ(db.execAndGet("SELECT COUNT(*) FROM measurement WHERE phase='search'").getInt(), 69);
}

TEST_F(Tune, ABudgetInSecondsIsOfTheRecordedTime) {
  // Each recorded measurement took 5 ms: 0.1 s is twenty of them, whatever the host does.
  const json out = tune_toy({"--budget", "0.1s"}, {"GTUNE_REPLAY_DELAY_MS=1"});
  EXPECT_EQ(out["tried"], 20);
}

TEST_F(Tune, ParamNarrowsTheSpace) {
  const json out = tune_toy({"--param", "BLOCK=32,64", "--param", "VARIANT=2"});
  EXPECT_EQ(out["configurations"], 8);
  EXPECT_EQ(out["best"]["config"]["BLOCK"], 64);
}

TEST_F(Tune, ConfigsAreComparedSideBySide) {
  const json out = tune_toy(
      {"--config", "BLOCK=32,UNROLL=1,VARIANT=0", "--config", "BLOCK=128,UNROLL=4,VARIANT=1"});
  EXPECT_EQ(out["configurations"], 2);
  EXPECT_EQ(out["finalists"].size(), 2U);
  EXPECT_EQ(out["best"]["config"]["BLOCK"], 128);
}

TEST_F(Tune, FinalistsAreOfThisRunAlone) {
  tune_toy();
  const json second = tune_toy({"--param", "BLOCK=32", "--seed", "9"});
  for (const auto& finalist : second["finalists"]) EXPECT_EQ(finalist["config"]["BLOCK"], 32);
  EXPECT_GE(second["finalists"].size(), 2U);
}

TEST_F(Tune, ANarrowedRunDoesNotHideTheWholeOne) {
  tune_toy();
  tune_toy({"--param", "BLOCK=32"});
  SQLite::Database db(database.string());
  EXPECT_EQ(db.execAndGet("SELECT BLOCK FROM best_toy WHERE n = 1048576").getInt(), 256);
}

TEST_F(Tune, ViewsHaveRealColumns) {
  tune_toy();
  SQLite::Database db(database.string());
  SQLite::Statement best(db, "SELECT BLOCK, UNROLL, VARIANT, gflops FROM best_toy WHERE n=1048576");
  ASSERT_TRUE(best.executeStep());
  EXPECT_EQ(best.getColumn(0).getInt(), 256);
  EXPECT_NEAR(best.getColumn(3).getDouble(), 1.048, 0.01);
  EXPECT_FALSE(best.executeStep());
}

TEST_F(Tune, QueryFindsWhatWasStored) {
  EXPECT_EQ(gtune({"query", data + "/toy.toml"}).exit_code, 5);
  tune_toy();
  const ProgramResult text = gtune({"query", data + "/toy.toml", "--n", "1048576"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.out.find("BLOCK=256,UNROLL=4,VARIANT=1"), std::string::npos) << text.out;
  EXPECT_EQ(gtune({"query", data + "/toy.toml", "--device", "Another GPU"}).exit_code, 5);
}

TEST_F(Tune, VerboseTellsOfEachConfiguration) {
  const ProgramResult result = gtune(toy({"--verbose", "--quiet"}));
  EXPECT_NE(result.err.find("search ok BLOCK=256,UNROLL=4,VARIANT=1: 1.00"), std::string::npos);
  EXPECT_NE(result.err.find("search launch_error"), std::string::npos);
  EXPECT_NE(result.err.find("baseline ok plain: 3.01"), std::string::npos);
}

TEST_F(Tune, CompilesOnDemandAndStaysReproducible) {
  // Real NVRTC; in-order results keep a replay's output the same.
  const json first = tune_toy({"--compile", "--budget", "12"});
  std::filesystem::remove(database);
  const json second = tune_toy({"--compile", "--budget", "12"});
  EXPECT_EQ(first["best"]["config"], second["best"]["config"]);
  EXPECT_EQ(first["statuses"], second["statuses"]);
  EXPECT_EQ(first["tried"], 12);
}

TEST_F(Tune, WhatALostCompilerCostIsTriedAgain) {
  const json first =
      tune_toy({"--compile", "--budget", "12"}, {"GTUNE_FAULT=compiler:crash@compile#3"});
  ASSERT_GT(first["statuses"].value("compile_error", 0), 0);
  const json second = tune_toy({"--compile", "--budget", "13"});
  EXPECT_EQ(second["statuses"].value("compile_error", 0), 0);
  EXPECT_GT(second["reused"], 0);
}

TEST_F(Tune, InterruptKeepsWhatWasMeasured) {
  std::vector<std::string> argv = {test::gtune_binary()};
  for (const std::string& word : toy({"--json"})) argv.push_back(word);
  std::vector<std::string> slow = environment();
  slow.emplace_back("GTUNE_REPLAY_DELAY_MS=100");
  const auto some_are_stored = [&] { return searched_rows(database) >= 3; };
  const ProgramResult interrupted = run_and_kill_when(argv, slow, some_are_stored, SIGINT);
  EXPECT_EQ(interrupted.exit_code, 130);
  const json said = json::parse(interrupted.out);
  EXPECT_EQ(said["interrupted"], true);
  EXPECT_GT(said["best_so_far"]["median_ms"], 0);
  const int before = searched_rows(database);
  EXPECT_EQ(said["tried"], before);
  EXPECT_GT(before, 0);
  EXPECT_LT(before, 69);
  const json out = tune_toy();
  EXPECT_EQ(out["tried"], 69);
  EXPECT_EQ(out["reused"], before);
  EXPECT_EQ(searched_rows(database), 69);
}

/// As timeout(1) sends it: to the process, then to its group.
TEST_F(Tune, ASignalThatIsSentTwiceAtOnceIsOneInterrupt) {
  std::vector<std::string> argv = {test::gtune_binary()};
  for (const std::string& word : toy({"--json"})) argv.push_back(word);
  std::vector<std::string> slow = environment();
  slow.emplace_back("GTUNE_REPLAY_DELAY_MS=100");
  const auto some_are_stored = [&] { return searched_rows(database) >= 3; };
  const ProgramResult interrupted = run_and_kill_when(argv, slow, some_are_stored, SIGINT, 2);
  EXPECT_EQ(interrupted.exit_code, 130);
  EXPECT_EQ(json::parse(interrupted.out)["interrupted"], true);
}

TEST_F(Tune, FinalsGoOnUntilOneHoldsOnAwkwardSizes) {
  // The seven fastest fail on awkward sizes; that is more than one final has.
  Recording recorded = read_recording(recording);
  std::vector<RecordedMeasurement*> order;
  for (RecordedMeasurement& each : recorded.measurements) {
    if (each.measurement.ok() && each.measurement.phase == Phase::search) order.push_back(&each);
  }
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->measurement.timing->median_ms < b->measurement.timing->median_ms;
  });
  for (int i = 0; i < 7; ++i) order[i]->passed_awkward = false;
  write_recording(recorded, recording);
  const json out = tune_toy();
  EXPECT_EQ(out["checked_on_awkward_sizes"], true);
  const Config& eighth = order[7]->measurement.config;
  for (const auto& [name, value] : eighth.entries()) {
    EXPECT_EQ(out["best"]["config"][name], value) << name;
  }
  EXPECT_EQ(out["statuses"]["wrong_result"], 7);
  SQLite::Database db(database.string());
  EXPECT_EQ(db.execAndGet("SELECT COUNT(*) FROM measurement WHERE phase='final'").getInt(), 10)
      << "two finals of five";
  EXPECT_EQ(out["statuses"]["ok"], 65 - 7);
  const ProgramResult query = gtune({"query", data + "/toy.toml"});
  EXPECT_NE(query.out.find(eighth.text()), std::string::npos) << query.out;
}

/// Makes a recording of short kernels: `fast` of them take 10 us, the others 20, each sample within
/// 2 %.
void make_short(const std::filesystem::path& file, int fast) {
  Recording recorded = read_recording(file);
  std::mt19937_64 random(5);
  int made = 0;
  for (RecordedMeasurement& each : recorded.measurements) {
    if (!each.measurement.ok() || each.measurement.phase != Phase::search) continue;
    std::vector<double> samples(400);
    for (double& ms : samples) {
      const double noise = 0.98 + 0.04e-6 * static_cast<double>(random() % 1000000);
      ms = (made < fast ? 0.01 : 0.02) * noise;
    }
    each.measurement.timing = summarise(samples);
    each.measurement.timing->mode.order = LaunchOrder::cold;
    ++made;
  }
  write_recording(recorded, file);
}

/// Number of samples of each finalist, in the order of the ranking.
std::vector<int> final_samples(const std::filesystem::path& database) {
  SQLite::Database db(database.string());
  SQLite::Statement select(
      db, "SELECT LENGTH(samples_ms) / 8 FROM measurement WHERE phase = 'final' ORDER BY id");
  std::vector<int> counts;
  while (select.executeStep()) counts.push_back(select.getColumn(0).getInt());
  return counts;
}

TEST_F(Tune, ShortKernelsThatNoiseCannotTellApartAllEnterTheFinal) {
  make_short(recording, 12);
  const json out = tune_toy();
  EXPECT_EQ(final_samples(database).size(), 12U);
  EXPECT_GT(out["best"]["samples"], 40) << "40 samples leave half a percent";
  ASSERT_EQ(out["finalists"].size(), 5U);
  EXPECT_EQ(out["finalists"][0]["config"], out["best"]["config"]);
}

TEST_F(Tune, WhereTooManyAreWrongOnAwkwardSizesItSaysWhatIsLeft) {
  Recording recorded = read_recording(recording);
  for (RecordedMeasurement& each : recorded.measurements) each.passed_awkward = false;
  write_recording(recorded, recording);
  const ProgramResult first = gtune(toy({"--quiet"}));
  EXPECT_EQ(first.exit_code, 4);
  EXPECT_NE(first.err.find("not checked"), std::string::npos) << first.err;
  EXPECT_EQ(gtune({"query", data + "/toy.toml"}).exit_code, 5);
  const ProgramResult second = gtune(toy({"--quiet"}));  // continues with the others
  EXPECT_EQ(second.exit_code, 4);
  EXPECT_EQ(second.err.find("not checked"), std::string::npos) << second.err;
}

TEST_F(Tune, NothingIsStoredOfWhatTheRecordingDoesNotHold) {
  Recording recorded = read_recording(recording);
  recorded.measurements.pop_back();  // the baseline
  write_recording(recorded, recording);
  EXPECT_TRUE(tune_toy()["baselines"].empty());
  SQLite::Database db(database.string());
  EXPECT_EQ(db.execAndGet("SELECT COUNT(*) FROM measurement WHERE phase='baseline'").getInt(), 0);
}

TEST_F(Tune, AFreshRunReportsItselfAndQueryTheBest) {
  tune_toy();
  const json poorer = tune_toy({"--fresh", "--strategy", "random", "--budget", "2"});
  EXPECT_EQ(poorer["tried"], 2);
  const ProgramResult query = gtune({"query", data + "/toy.toml"});
  EXPECT_NE(query.out.find("BLOCK=256,UNROLL=4,VARIANT=1"), std::string::npos) << query.out;
}

}  // namespace
}  // namespace gtune::test
