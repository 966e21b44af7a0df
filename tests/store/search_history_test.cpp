#include "store/fixture.hpp"

namespace gtune::test {
namespace {

using SearchHistory = StoreTest;

TEST_F(SearchHistory, HasEveryMeasurementInTheOrderItWasMade) {
  const RunId run = begin_run();
  db.insert_measurement(run, key, timed(32, 3));
  Measurement failed;
  failed.config = {{"BM", 64}, {"BK", 8}};
  failed.status = Status::launch_error;
  failed.reason = "too many threads";
  db.insert_measurement(run, key, failed);
  Measurement baseline = timed(16, 5);
  baseline.phase = Phase::baseline;
  baseline.label = "naive";
  db.insert_measurement(run, key, baseline);
  const MeasurementId best = db.insert_measurement(run, key, timed(128, 2));

  const auto steps = db.load_search_steps(best, kernel.parameter_names);
  ASSERT_EQ(steps.size(), 3U);  // without the baseline
  EXPECT_EQ(steps[0].median_ms, 3);
  EXPECT_EQ(steps[0].config.text(), "BM=32,BK=8");
  EXPECT_EQ(steps[1].median_ms, std::nullopt);
  EXPECT_EQ(steps[1].reason, "too many threads");
  EXPECT_EQ(steps[2].median_ms, 2);
  EXPECT_NE(steps[2].config_row, steps[0].config_row);
}

TEST_F(SearchHistory, HasNoTimeOfAConfigurationThatWasSeenWrong) {
  const RunId run = begin_run();
  const MeasurementId first = db.insert_measurement(run, key, timed(32, 3));
  Measurement wrong;
  wrong.config = timed(32, 3).config;
  wrong.status = Status::wrong_result;
  db.insert_measurement(run, key, wrong);
  EXPECT_EQ(db.load_search_steps(first, kernel.parameter_names)[0].median_ms, std::nullopt);
}

TEST_F(SearchHistory, HasNothingOfOtherConditions) {
  const MeasurementId best = ended_run(32, 3);
  MeasurementKey warm = key;
  warm.mode.order = LaunchOrder::warm;
  db.insert_measurement(begin_run(), warm, timed(64, 1));
  EXPECT_EQ(db.load_search_steps(best, kernel.parameter_names).size(), 1U);
}

TEST_F(SearchHistory, HasTheRunsOfOlderSources) {
  KernelIdentity old = kernel;
  old.source_hash = "older";
  const KernelId now = key.kernel;
  key.kernel = db.upsert_kernel(old);
  ended_run(32, 4);
  key.kernel = now;
  const MeasurementId best = ended_run(64, 3);
  begin_run();  // has not ended

  const auto runs = db.load_past_runs(best);
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].source_hash, "older");
  EXPECT_FALSE(runs[0].same_source);
  EXPECT_EQ(runs[0].best_ms, 4);
  EXPECT_EQ(runs[1].winner, best);
  EXPECT_TRUE(runs[1].same_source);
  EXPECT_EQ(runs[1].flops, 2e9);
  EXPECT_EQ(runs[1].toolchain.driver, "580.1");
  EXPECT_TRUE(runs[2].finished.empty());
  EXPECT_EQ(runs[2].best_ms, std::nullopt);
}

TEST_F(SearchHistory, ComparableBaselinesAreTheNewestOfEachName) {
  const RunId run = begin_run();
  Measurement baseline = timed(32, 5);
  baseline.phase = Phase::baseline;
  baseline.label = "naive";
  db.insert_measurement(run, key, baseline);
  db.insert_measurement(run, key, [&] {
    Measurement newer = timed(32, 4);
    newer.phase = Phase::baseline;
    newer.label = "naive";
    return newer;
  }());
  const MeasurementId best = ended_run(64, 3);
  const auto baselines = db.load_comparable_baselines(best);
  ASSERT_EQ(baselines.size(), 1U);
  EXPECT_EQ(baselines[0].measurement.timing->median_ms, 4);
}

TEST_F(SearchHistory, CountedMeasurementsHaveAValueOfTheMetric) {
  const MeasurementId counted = ended_run(32, 3);
  const MeasurementId best = ended_run(64, 2);
  db.insert_metrics(counted, {{"dram_bytes", 1e6, "byte", ""}});
  db.insert_metrics(best, {{"dram_bytes", std::nullopt, "", "no counters"}});
  const auto found = db.load_counted(best, "dram_bytes");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].id, counted);
}

}  // namespace
}  // namespace gtune::test
