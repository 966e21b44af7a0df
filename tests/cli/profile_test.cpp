// Hardware metrics without a GPU: stored ones, those of a recording, and errors.
#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <map>

#include "fixture.hpp"
#include "profile/familiar_metrics.hpp"
#include "support/some_lines.hpp"
#include "worker/recording.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class Profile : public CliTest {
 protected:
  [[nodiscard]] std::int64_t count(const std::string& sql) const {
    SQLite::Database db(database.string());
    return db.execAndGet("SELECT COUNT(*) FROM " + sql).getInt64();
  }
  /// Durations of the search's profiled configurations.
  [[nodiscard]] std::map<std::string, double> durations() const {
    SQLite::Database db(database.string());
    SQLite::Statement select(db,
                             "SELECT config.params, value FROM metric JOIN measurement ON "
                             "measurement.id = measurement_id "
                             "JOIN config ON config.id = config_id "
                             "WHERE name = 'duration' AND phase = 'search' AND value IS NOT NULL");
    std::map<std::string, double> all;
    while (select.executeStep()) all[select.getColumn(0)] = select.getColumn(1);
    return all;
  }
  /// Gives the recording's kernels metrics: the time, a hit rate without a value, and a load
  /// efficiency with `copied` bytes of async copies.
  void record_metrics(double copied = 0) const {
    Recording recorded = read_recording(recording);
    for (RecordedMeasurement& each : recorded.measurements) {
      if (!each.measurement.timing) continue;
      each.metrics = {{"duration", each.measurement.timing->median_ms * 1e6, "ns", ""},
                      {"dram_throughput", 42.5, "percent", ""},
                      {"l2_hit_rate", std::nullopt, "percent", "not a number"},
                      {"gld_efficiency", 12.5, "percent", ""},
                      {"async_requested_bytes", copied, "byte", ""}};
    }
    write_recording(recorded, recording);
  }
};

TEST_F(Profile, SourceLinesOfARecordingAreStoredAndRecordedAgain) {
  Recording recorded = read_recording(recording);
  for (RecordedMeasurement& each : recorded.measurements) each.lines = some_lines();
  write_recording(recorded, recording);
  (void)tune_toy();
  EXPECT_EQ(count("line_profile"), 0);
  const json out = tune_toy({"--profile", "lines"});
  EXPECT_EQ(out["from_store"], true);
  const auto kernels = static_cast<std::int64_t>(out["finalists"].size()) + 1;
  EXPECT_EQ(count("line_profile WHERE samples = 1000"), kernels);
  const std::filesystem::path again = folder / "again.jsonl";
  const ProgramResult result = gtune(toy({"--record", again.string(), "--profile", "lines"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Recording back = read_recording(again);
  EXPECT_TRUE(std::any_of(back.measurements.begin(), back.measurements.end(),
                          [](const RecordedMeasurement& each) { return each.lines.has_value(); }));
}

TEST_F(Profile, WithoutSourceLinesInTheRecordingTheRunEndsAsEver) {
  const ProgramResult result = gtune(toy({"--json", "--profile", "lines"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(count("line_profile WHERE samples IS NULL AND reason = 'not in the recording'"),
            count("line_profile"));
  EXPECT_GT(count("line_profile"), 0);
}

TEST_F(Profile, AWorkerThatIsLostWhileItSamplesCostsTheLinesAlone) {
  const json undisturbed = tune_toy();
  for (const char* fault : {"crash", "garbage"}) {
    std::filesystem::remove(database);
    const ProgramResult result =
        gtune(toy({"--json", "--profile", "lines"}),
              {std::string("GTUNE_FAULT=worker:") + fault + "@sample_lines#1"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const json out = json::parse(result.out);
    EXPECT_EQ(out["best"]["config"], undisturbed["best"]["config"]) << fault;
    EXPECT_EQ(out["best"]["median_ms"], undisturbed["best"]["median_ms"]) << fault;
    EXPECT_EQ(out["workers_lost"], 2) << fault;
    EXPECT_EQ(count("line_profile WHERE samples IS NOT NULL OR reason = ''"), 0) << fault;
    EXPECT_NE(result.err.find("no source lines: "), std::string::npos) << result.err;
  }
}

const char* const profiled = "measurement WHERE id IN (SELECT measurement_id FROM metric)";

TEST_F(Profile, WhatARecordingLacksIsStoredWithTheReason) {
  const json out = tune_toy();
  const auto finalists = out["finalists"].size();
  ASSERT_GT(finalists, 1U);
  const auto kernels = static_cast<std::int64_t>(finalists) + 1;  // and the baseline
  const auto names = static_cast<std::int64_t>(default_metrics().size());
  EXPECT_EQ(count("metric"), kernels * names);
  EXPECT_EQ(count("metric WHERE value IS NULL AND reason = 'not in the recording'"),
            kernels * names);
  EXPECT_EQ(count(profiled + std::string(" AND phase = 'baseline'")), 1);
  EXPECT_EQ(out["best"]["metrics"]["ipc"]["value"], nullptr);
  EXPECT_EQ(out["best"]["metrics"]["ipc"]["reason"], "not in the recording");
}

TEST_F(Profile, OffTakesNoneAndAllTakesAFewOfEachValidConfiguration) {
  const json off = tune_toy({"--profile", "off"});
  EXPECT_EQ(count("metric"), 0);
  EXPECT_FALSE(off["best"].contains("metrics"));
  // The stored result gets the metrics it lacks: no configuration is measured again.
  const json all = tune_toy({"--profile", "all"});
  EXPECT_EQ(all["from_store"], true);
  EXPECT_EQ(count(profiled + std::string(" AND phase = 'search'")),
            count("measurement WHERE phase = 'search' AND status = 'ok' AND NOT discarded_early"));
  EXPECT_EQ(count("metric JOIN measurement ON id = measurement_id WHERE phase = 'search' AND "
                  "name NOT IN ('duration', 'dram_throughput', 'dram_bytes', "
                  "'achieved_occupancy', 'inst_executed', 'bank_conflicts')"),
            0);
  EXPECT_EQ(all["best"]["config"], off["best"]["config"]);
}

TEST_F(Profile, WhatIsCompiledAheadIsNotMixedUp) {
  record_metrics();
  tune_toy({"--strategy", "exhaustive", "--profile", "all"});
  const std::map<std::string, double> uncompiled = durations();
  ASSERT_GT(uncompiled.size(), 8U);
  std::filesystem::remove(database);
  tune_toy({"--strategy", "exhaustive", "--compile", "--profile", "all"},
           {"GTUNE_FAULT=worker:crash@profile#14"});
  std::map<std::string, double> compiled = durations();
  EXPECT_EQ(compiled.size() + 1, uncompiled.size());  // without the lost worker's
  compiled.insert(uncompiled.begin(), uncompiled.end());
  EXPECT_EQ(compiled, uncompiled);
}

TEST_F(Profile, AskedMetricsComeBesideTheDefaultOnes) {
  const json out =
      tune_toy({"--metrics", "lts__t_sectors.sum,ipc", "--metrics", "dram__bytes.sum"});
  for (const char* name : {"lts__t_sectors.sum", "dram__bytes.sum", "ipc", "dram_bytes"}) {
    EXPECT_TRUE(out["best"]["metrics"].contains(name)) << name;
  }
}

TEST_F(Profile, RecordedMetricsAreReplayedReportedAndRecordedAgain) {
  record_metrics();
  const auto again = folder / "again.jsonl";
  const json out = tune_toy({"--record", again.string()});
  const json& metrics = out["best"]["metrics"];
  EXPECT_EQ(metrics["dram_throughput"]["value"], 42.5);
  EXPECT_EQ(metrics["dram_throughput"]["unit"], "percent");
  EXPECT_EQ(metrics["l2_hit_rate"]["reason"], "not a number");
  EXPECT_EQ(metrics["ipc"]["reason"], "not in the recording");
  EXPECT_EQ(out["baselines"][0]["metrics"]["dram_throughput"]["value"], 42.5);
  const ProgramResult text = gtune(toy({"--quiet"}));
  EXPECT_NE(text.out.find("metrics    dram_throughput 42.5 %, gld_efficiency 12.5 %\n"),
            std::string::npos)
      << text.out;

  const Recording recorded = read_recording(again);
  EXPECT_TRUE(std::any_of(recorded.measurements.begin(), recorded.measurements.end(),
                          [](const RecordedMeasurement& each) {
                            return each.measurement.phase == Phase::search && !each.metrics.empty();
                          }));
}

TEST_F(Profile, EfficiencyOfLoadsSaysNothingBesideAsyncCopies) {
  record_metrics(1e6);
  const ProgramResult text = gtune(toy({"--quiet"}));
  EXPECT_NE(text.out.find("metrics    dram_throughput 42.5 %\n"), std::string::npos) << text.out;
}

TEST_F(Profile, ProfileGuidedTakesAFewMetricsDuringTheSearch) {
  const auto search = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"--strategy", "profile-guided", "--fresh"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = gtune(toy(arguments));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  };
  // Without metrics, in the recording or by --profile off, it says so once.
  for (const std::vector<std::string>& without :
       {std::vector<std::string>{}, std::vector<std::string>{"--profile", "off"}}) {
    const std::string err = search(without).err;
    const auto at = err.find("profile-guided has no hardware metrics to go by");
    ASSERT_NE(at, std::string::npos) << err;
    EXPECT_EQ(err.find("no hardware metrics", at + 20), std::string::npos) << err;
  }
  std::filesystem::remove(database);
  Recording recorded = read_recording(recording);
  for (RecordedMeasurement& each : recorded.measurements) {
    if (!each.measurement.timing) continue;
    for (const std::string& name : quick_metrics()) each.metrics.push_back({name, 50.0, "", ""});
  }
  write_recording(recorded, recording);
  EXPECT_EQ(search({}).err.find("no hardware metrics"), std::string::npos);
  // Rows of the search have metrics too, but only as many as the strategy wants.
  const auto all = count("measurement WHERE phase = 'search' AND status = 'ok'");
  const auto taken = count(profiled + std::string(" AND phase = 'search'"));
  EXPECT_GT(taken, 0);
  EXPECT_LE(taken, all / 4 + 1);
  EXPECT_EQ(count("metric JOIN measurement ON id = measurement_id WHERE phase = 'search' AND "
                  "value IS NULL"),
            0);
}

TEST_F(Profile, ALostWorkerCostsTheMetricsAlone) {
  const json undisturbed = tune_toy();
  for (const char* fault : {"crash", "hang", "garbage"}) {
    std::filesystem::remove(database);
    const ProgramResult result = gtune(
        toy({"--json", "--timeout", "0.05"}),
        {std::string("GTUNE_FAULT=worker:") + fault + "@profile#1", "GTUNE_WORKER_GRACE_MS=200"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const json out = json::parse(result.out);
    EXPECT_EQ(out["best"]["config"], undisturbed["best"]["config"]) << fault;
    EXPECT_EQ(out["best"]["median_ms"], undisturbed["best"]["median_ms"]) << fault;
    EXPECT_EQ(count("result"), 1);
    // Two lost workers are enough evidence; the other kernels get the same reason untried.
    EXPECT_EQ(out["workers_lost"], 2) << fault;
    EXPECT_EQ(count("metric WHERE reason = '' OR value IS NOT NULL"), 0);
    EXPECT_EQ(count("metric"),
              count(profiled) * static_cast<std::int64_t>(default_metrics().size()));
    const auto at = result.err.find("no hardware metrics: ");
    ASSERT_NE(at, std::string::npos) << result.err;
    EXPECT_EQ(result.err.find("no hardware metrics: ", at + 1), std::string::npos) << result.err;
  }
}

TEST_F(Profile, WhatIsPatchedInComesLastAndItsCrashCostsNothingElse) {
  record_metrics();
  const std::size_t kernels = tune_toy()["finalists"].size() + 1;  // and the baseline
  std::filesystem::remove(database);
  const ProgramResult result =
      gtune(toy({"--json"}), {"GTUNE_FAULT=worker:crash@profile#" + std::to_string(kernels + 1)});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out)["workers_lost"], 1);  // the other kernels were not tried
  EXPECT_EQ(result.err.find("no hardware metrics"), std::string::npos) << result.err;
  const auto all = static_cast<std::int64_t>(kernels);
  EXPECT_EQ(count("metric WHERE name = 'duration' AND value IS NOT NULL"), all);
  EXPECT_EQ(count("metric WHERE name = 'gst_efficiency' AND reason LIKE '%worker%'"), all);
}

TEST_F(Profile, MistakesAreOneClearLine) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"gld_eficiency", "did you mean 'gld_efficiency'?"},
      {"dram__byte.sum", "did you mean 'dram__bytes.sum'?"},
  };
  for (const auto& [name, hint] : mistakes) {
    const ProgramResult result = gtune(toy({"--metrics", name}));
    EXPECT_EQ(result.exit_code, 2) << result.err;
    expect_one_clear_line(result);
    EXPECT_NE(result.err.find(hint), std::string::npos) << result.err;
  }
  EXPECT_EQ(gtune(toy({"--profile", "some"})).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(database));
}

class RunAlone : public CliTest {};

TEST_F(RunAlone, NeedsADevice) {
  if (gtune({"devices"}).exit_code == 0) GTEST_SKIP() << "there is one";
  const ProgramResult result = gtune({"run", data + "/toy.toml", "--launches", "2"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  expect_one_clear_line(result);
}

TEST_F(RunAlone, MistakesAreOneClearLine) {
  for (const std::vector<std::string>& mistake :
       std::vector<std::vector<std::string>>{{"run", data + "/toy.toml", "--config", "plane"},
                                             {"run", data + "/toy.toml", "--launches", "0"},
                                             {"run", data + "/toy.toml", "--n", "1,2"},
                                             {"run", "no_such_kernel"}}) {
    const ProgramResult result = gtune(mistake);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    expect_one_clear_line(result);
  }
  EXPECT_NE(gtune({"run", data + "/toy.toml", "--config", "plane"}).err.find("'plain'"),
            std::string::npos);
}

}  // namespace
}  // namespace gtune::test
