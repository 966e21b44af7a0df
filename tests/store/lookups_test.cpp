#include <fmt/format.h>

#include "store/fixture.hpp"

namespace gtune::test {
namespace {

using Lookups = StoreTest;

TEST_F(Lookups, TakesTheLatestRowOfEachConfiguration) {
  const RunId first = begin_run();
  db.insert_measurement(first, key, timed(32, 3));
  db.insert_measurement(first, key, timed(64, 4));
  db.insert_measurement(begin_run(), key, timed(32, 2));
  const auto rows = db.load_measurements(key, Phase::search);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].measurement.timing->median_ms, 4);
  EXPECT_EQ(rows[1].measurement.timing->median_ms, 2);
  EXPECT_EQ(rows[1].measurement.config.text(), "BM=32,BK=8");  // the spec's order
}

TEST_F(Lookups, SeparatesPhasesAndBaselinesByLabel) {
  const RunId run = begin_run();
  Measurement measurement = timed(32, 3);
  measurement.phase = Phase::baseline;
  measurement.label = "naive";
  db.insert_measurement(run, key, measurement);
  measurement.label = "shared";
  db.insert_measurement(run, key, measurement);
  EXPECT_EQ(db.load_measurements(key, Phase::baseline).size(), 2u);
  EXPECT_EQ(db.load_measurements(key, Phase::search).size(), 0u);
}

TEST_F(Lookups, NeverTakesOverWhatWasMeasuredUnderOtherConditions) {
  ended_run(32, 3);
  std::vector<std::pair<std::string, MeasurementKey>> others;
  const auto other = [&](const std::string& what) -> MeasurementKey& {
    return others.emplace_back(what, key).second;
  };
  KernelIdentity changed = kernel;
  changed.source_hash = "a2";
  other("source").kernel = db.upsert_kernel(changed);
  changed = kernel;
  changed.spec_hash = "b2";
  other("spec").kernel = db.upsert_kernel(changed);
  for (std::string Toolchain::*part : {&Toolchain::driver, &Toolchain::runtime, &Toolchain::nvrtc,
                                       &Toolchain::cupti, &Toolchain::gtune}) {
    Toolchain toolchain = some_toolchain();
    toolchain.*part += ".1";
    other("toolchain").toolchain = db.upsert_toolchain(toolchain);
  }
  DeviceFacts device = some_device();
  device.uuid = "GPU-2";
  other("device").device = db.upsert_device(device);
  device = some_device();
  device.replayed = true;
  other("replayed").device = db.upsert_device(device);
  other("problem").problem = db.upsert_problem("sgemm", {{"M", 65}, {"N", 32}});
  other("flush").mode.order = LaunchOrder::warm;

  ASSERT_EQ(db.load_measurements(key, Phase::search).size(), 1u);
  ASSERT_TRUE(db.find_ended_run(key, "all"));
  EXPECT_FALSE(db.find_ended_run(key, "narrow"));
  for (const auto& [what, another] : others) {
    EXPECT_TRUE(db.load_measurements(another, Phase::search).empty()) << what;
    EXPECT_FALSE(db.find_ended_run(another, "all")) << what;
  }
}

TEST_F(Lookups, AResultIsTheFastestWinnerSoFar) {
  ended_run(32, 4);
  const MeasurementId second = ended_run(64, 3);
  ended_run(128, 5);
  db.finish_run(begin_run(), RunResult{});  // nothing was correct
  begin_run();                              // not ended
  ASSERT_TRUE(db.find_ended_run(key, "all"));
  EXPECT_EQ(db.load_result(*db.find_ended_run(key, "all"))->winner.id, second);
}

TEST_F(Lookups, TheBestIsTheFastestWinnerOfTheEndedRuns) {
  ended_run(32, 5);
  const MeasurementId fastest = ended_run(64, 4);
  ended_run(16, 6);  // for example, a poorer search later
  const RunId going = begin_run();
  db.insert_measurement(going, key, timed(128, 1));
  const auto rows = db.query_best(kernel);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].best.id, fastest);
  EXPECT_TRUE(rows[0].complete);
  EXPECT_FALSE(rows[0].verified);
  EXPECT_EQ(rows[0].device.name, "NVIDIA Test");
  EXPECT_EQ(rows[0].toolchain.driver, "580.1");
  EXPECT_EQ(rows[0].problem.text(), "M=64,N=32");
  EXPECT_DOUBLE_EQ(rows[0].gflops.value(), 2e9 / 4e6);
  EXPECT_DOUBLE_EQ(rows[0].gbps.value(), 1);
}

TEST_F(Lookups, ARunDoesNotEndWellInAFileThatWasMoved) {
  const RunId run = begin_run();
  fs::rename(file, folder.path() / "moved.db");
  try {
    db.finish_run(run, RunResult{});
    ADD_FAILURE();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("was moved or deleted"), std::string::npos);
  }
}

TEST_F(Lookups, WorkThatIsImpossibleGivesNoSpeed) {
  ended_run(32, 5);
  for (const char* work : {"9e999", "-5", "0", "0.5", "1e25", "1e300"}) {
    db.connection().exec(std::string("UPDATE run SET flops = ") + work + ", bytes = " + work);
    const auto rows = db.query_best(kernel);
    ASSERT_EQ(rows.size(), 1U) << work;
    EXPECT_FALSE(rows[0].gflops || rows[0].gbps) << work;
  }
}

TEST_F(Lookups, WinnersOfTheNewestToolchainComeBeforeThoseOfOlderOnes) {
  ended_run(32, 3);
  key.toolchain = db.upsert_toolchain({"590", "13.1", "13.1", "", "0.1.0"});
  const MeasurementId newer = ended_run(64, 4);
  EXPECT_EQ(db.query_best(kernel).at(0).best.id, newer);
}

TEST_F(Lookups, TheDevicesPresentToolchainComesFirst) {
  const ToolchainId first = key.toolchain;
  const MeasurementId older = ended_run(32, 3);
  key.toolchain = db.upsert_toolchain({"590", "13.1", "13.1", "", "0.1.0"});
  const MeasurementId newer = ended_run(64, 4);
  db.use_toolchain(key.device, key.toolchain);
  EXPECT_EQ(db.query_best(kernel).at(0).best.id, newer);
  // Another device has its own current toolchain.
  DeviceFacts device = some_device();
  device.uuid = "GPU-2";
  db.use_toolchain(db.upsert_device(device), first);
  EXPECT_EQ(db.query_best(kernel).at(0).best.id, newer);
  db.use_toolchain(key.device, first);
  EXPECT_EQ(db.query_best(kernel).at(0).best.id, older);
}

TEST_F(Lookups, ARunThatEndedWithoutAWinnerHasNoBest) {
  const RunId run = begin_run();
  db.insert_measurement(run, key, timed(32, 3));  // right, but perhaps wrong on awkward sizes
  db.finish_run(run, RunResult{});
  EXPECT_TRUE(db.query_best(kernel).empty());
  // It does not hide an interrupted run either, whose fastest so far is the best.
  const RunId interrupted = begin_run();
  db.insert_measurement(interrupted, key, timed(64, 4));
  db.finish_run(begin_run(), RunResult{});
  const std::vector<BestRow> rows = db.query_best(kernel);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_FALSE(rows[0].complete);
}

TEST_F(Lookups, WinnersAreListedWithTheirDevices) {
  ended_run(32, 3);
  key.problem = db.upsert_problem("sgemm", {{"M", 100}, {"N", 7}});
  ended_run(64, 5);
  const std::vector<Winner> winners = db.winners(kernel);
  ASSERT_EQ(winners.size(), 2u);
  EXPECT_EQ(winners[0].config.text(), "BM=32,BK=8");
  EXPECT_EQ(winners[1].problem.text(), "M=100,N=7");
  EXPECT_EQ(winners[1].device.name, "NVIDIA Test");
  EXPECT_EQ(winners[1].device_id, key.device);
  EXPECT_EQ(winners[1].median_ms, 5);
}

TEST_F(Lookups, WrongWithAWarmCacheIsWrongWithAColdOne) {
  key.mode.order = LaunchOrder::warm;
  Measurement wrong = timed(32, 1);
  wrong.status = Status::wrong_result;
  wrong.timing.reset();
  db.insert_measurement(begin_run(), key, wrong);
  key.mode.order = LaunchOrder::cold;
  EXPECT_EQ(db.load_wrong(key).size(), 1u);
}

TEST_F(Lookups, TiesSeenWrongSinceAreLeftOut) {
  const RunId run = begin_run();
  RunResult result;
  Measurement final = timed(32, 3);
  final.phase = Phase::final;
  result.winner = db.insert_measurement(run, key, final);
  final = timed(64, 3);
  final.phase = Phase::final;
  result.ties = {db.insert_measurement(run, key, final)};
  db.finish_run(run, result);
  EXPECT_EQ(db.load_result(run)->ties.size(), 1u);
  EXPECT_EQ(db.load_finalists(run, 5).size(), 2u);
  Measurement wrong = timed(64, 1);
  wrong.status = Status::wrong_result;
  wrong.timing.reset();
  db.insert_measurement(begin_run(), key, wrong);
  EXPECT_TRUE(db.load_result(run)->ties.empty());
  EXPECT_EQ(db.load_finalists(run, 5).size(), 1u);
}

TEST_F(Lookups, FinalistsAreTheWinnerAndThenAsManyAsAskedForInTheirOrder) {
  const RunId run = begin_run();
  std::vector<MeasurementId> ids;
  for (const int value : {64, 32, 128}) {
    Measurement final = timed(value, value == 64 ? 3.1 : 3);
    final.phase = Phase::final;
    ids.push_back(db.insert_measurement(run, key, final));
  }
  const auto found = [&](int most) {
    std::vector<MeasurementId> order;
    for (const StoredMeasurement& each : db.load_finalists(run, most)) order.push_back(each.id);
    return order;
  };
  EXPECT_EQ(found(5), ids) << "without a result";
  RunResult result;
  result.winner = ids[2];
  db.finish_run(run, result);
  EXPECT_EQ(found(5), (std::vector{ids[2], ids[0], ids[1]}));
  EXPECT_EQ(found(2), (std::vector{ids[2], ids[0]}));
}

TEST_F(Lookups, WhatWasSeenWrongIsListedOnce) {
  EXPECT_TRUE(db.load_wrong(key).empty());
  Measurement wrong = timed(32, 1);
  wrong.status = Status::wrong_result;
  wrong.timing.reset();
  db.insert_measurement(begin_run(), key, wrong);
  wrong.phase = Phase::final;
  db.insert_measurement(begin_run(), key, wrong);
  db.insert_measurement(begin_run(), key, timed(64, 2));
  const std::vector<Config> seen = db.load_wrong(key);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].text(), "BM=32,BK=8");
}

TEST_F(Lookups, WhatWasSeenWrongIsNoWinnerWhicheverRunSawIt) {
  const MeasurementId right = ended_run(64, 4);
  ended_run(32, 3);
  Measurement wrong = timed(32, 1);
  wrong.status = Status::wrong_result;
  wrong.timing.reset();
  db.insert_measurement(begin_run(), key, wrong);
  EXPECT_EQ(db.query_best(kernel).at(0).best.id, right);
  EXPECT_EQ(db.load_result(*db.find_ended_run(key, "all"))->winner.id, right);
}

TEST_F(Lookups, TheFastestOfUnendedRunsIsNotOneSeenWrong) {
  const RunId run = begin_run();
  Measurement wrong = timed(32, 1);
  db.insert_measurement(run, key, wrong);  // right at first
  wrong.status = Status::wrong_result;
  wrong.timing.reset();
  db.insert_measurement(run, key, wrong);  // wrong on an awkward size
  const MeasurementId right = db.insert_measurement(run, key, timed(64, 4));
  EXPECT_EQ(db.query_best(kernel).at(0).best.id, right);
}

TEST_F(Lookups, ANarrowedOrWarmRunDoesNotHideAWholeColdOne) {
  const MeasurementId whole = ended_run(32, 3);
  ended_run(64, 2, false);
  key.mode.order = LaunchOrder::warm;
  ended_run(64, 1);
  EXPECT_EQ(db.query_best(kernel).at(0).best.id, whole);
}

TEST_F(Lookups, TheBestOfUnendedRunsIsTheFastestCorrectOneOfThisToolchain) {
  db.insert_measurement(begin_run(), key, timed(16, 1));
  key.toolchain = db.upsert_toolchain({"590", "13.1", "13.1", "", "0.1.0"});
  const RunId run = begin_run();
  EXPECT_TRUE(db.query_best(kernel).empty());
  Measurement wrong = timed(32, 2);
  wrong.status = Status::wrong_result;
  db.insert_measurement(run, key, wrong);
  Measurement baseline = timed(48, 2.5);
  baseline.phase = Phase::baseline;
  db.insert_measurement(run, key, baseline);
  db.insert_measurement(run, key, timed(64, 4));
  const MeasurementId fastest = db.insert_measurement(run, key, timed(128, 3));
  const auto rows = db.query_best(kernel);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].best.id, fastest);
  EXPECT_FALSE(rows[0].complete);
}

TEST_F(Lookups, OlderSourcesAreCountedAndNotReturned) {
  ended_run(32, 3);
  KernelIdentity edited = kernel;
  edited.source_hash = "edited";
  EXPECT_TRUE(db.query_best(edited).empty());
  EXPECT_EQ(db.count_other_sources(edited), 1);
  EXPECT_EQ(db.count_other_sources(kernel), 0);
  db.upsert_kernel(edited);
  EXPECT_EQ(db.query_best(kernel).size(), 1u);  // but it is not deleted
}

TEST_F(Lookups, FiltersByProblemAndDevice) {
  ended_run(32, 3);
  const Problem other = {{"M", 100}, {"N", 7}};
  key.problem = db.upsert_problem("sgemm", other);
  const MeasurementId wanted = ended_run(64, 5);
  DeviceFacts device = some_device();
  device.uuid = "GPU-2";
  device.name = "NVIDIA Other";
  device.replayed = true;
  key.device = db.upsert_device(device);
  ended_run(64, 5);

  EXPECT_EQ(db.query_best(kernel).size(), 3u);
  EXPECT_EQ(db.query_best(kernel, {other, std::nullopt}).size(), 2u);
  const auto rows = db.query_best(kernel, {Problem{{"N", 7}, {"M", 100}}, "nvidia test"});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].best.id, wanted);
  EXPECT_TRUE(db.query_best(kernel, {std::nullopt, "NVIDIA"}).empty());
  EXPECT_TRUE(db.query_best(kernel, {std::nullopt, "NVIDIA Other"}).at(0).device.replayed);

  KernelIdentity edited = kernel;
  edited.spec_hash = "edited";
  EXPECT_EQ(db.count_other_sources(edited, {other, "NVIDIA Other"}), 1);
}

TEST_F(Lookups, SpeedOfACheckOnAnotherProblemDoesNotUseTheRunsWork) {
  const RunId run = begin_run();
  MeasurementKey awkward = key;
  awkward.problem = db.upsert_problem("sgemm", {{"M", 1}, {"N", 1}});
  db.insert_measurement(run, awkward, timed(32, 3));
  db.refresh_views(kernel);
  EXPECT_EQ(sql("SELECT count(*) FROM all_sgemm WHERE M = 1 AND gflops IS NULL"), "1");
}

TEST_F(Lookups, ARunForEnergyIsNoAnswerAboutTime) {
  const auto run_for_energy = [&](std::int64_t winner, double ms) {
    RunInfo info;
    info.key = key;
    info.objective = Objective::energy;
    info.space_signature = "energy";
    const RunId run = db.begin_run(info);
    db.insert_measurement(run, key, timed(64, 3));
    RunResult result;
    result.winner = db.insert_measurement(run, key, timed(winner, ms));
    db.finish_run(run, result);
    return run;
  };
  static_cast<void>(run_for_energy(32, 5));
  const auto best_ms = [&] {
    return db.query_best(kernel, {}).at(0).best.measurement.timing->median_ms;
  };
  EXPECT_EQ(best_ms(), 3);  // the fastest that is known
  const MeasurementId winner = ended_run(16, 4);
  EXPECT_EQ(best_ms(), 4);
  EXPECT_EQ(db.find_ended_run(key, "all").has_value(), true);
  // Of runs for energy, the newest counts: another may have been disturbed.
  const RunId newest = run_for_energy(16, 6);
  EXPECT_EQ(db.find_ended_run(key, "energy"), newest);
  EXPECT_EQ(db.query_best(kernel, {}).at(0).best.id, winner);
  EXPECT_EQ(sql("SELECT group_concat(objective) FROM (SELECT objective FROM run ORDER BY id)"),
            "energy,time,energy");
}

TEST_F(Lookups, AWarmL2CacheAnswersWhereNothingElseIsOrWhereAsked) {
  db.use_toolchain(key.device, key.toolchain);
  const MeasurementKey flushed = key;
  key.mode.order = LaunchOrder::warm;
  key.problem = db.upsert_problem("sgemm", {{"M", 8}, {"N", 8}});
  ended_run(32, 1);  // known only with a warm cache
  key.problem = flushed.problem;
  const RunId run = begin_run();
  db.insert_measurement(run, key, timed(64, 1.5));
  RunResult result;
  result.winner = db.insert_measurement(run, key, timed(32, 1));
  db.finish_run(run, result);
  key = flushed;
  const MeasurementId cold = ended_run(64, 3);
  const auto speeds_of = [&](const Problem& problem) {
    std::string text;
    for (const ConfigSpeed& speed : db.load_speeds(kernel, {problem, std::nullopt})) {
      text +=
          fmt::format("{}:{}:{} ", *speed.config.find("BM"), speed.median_ms, speed.mode.text());
    }
    return text;
  };
  const Problem both = {{"M", 64}, {"N", 32}};
  EXPECT_EQ(speeds_of(both), "64:3:cold ");
  EXPECT_EQ(speeds_of({{"M", 8}, {"N", 8}}), "32:1:warm ");
  const BestRow best = db.query_best(kernel, {both, std::nullopt}).at(0);
  EXPECT_EQ(best.best.id, cold);
  EXPECT_TRUE(best.mode.flushes_l2());
  for (const Winner& winner : db.winners(kernel)) {
    EXPECT_EQ(winner.mode.flushes_l2(), winner.problem == both);
    const auto of_32 = db.find_median_ms(kernel, winner, {Config{{"BM", 32}, {"BK", 8}}}).at(0);
    EXPECT_EQ(of_32.has_value(), !winner.mode.flushes_l2());  // not measured with a flushed cache
  }
  db.answer_of({LaunchOrder::warm});
  EXPECT_EQ(speeds_of(both), "64:1.5:warm 32:1:warm ");
  EXPECT_EQ(db.query_best(kernel, {both, std::nullopt}).at(0).best.id, *result.winner);
  EXPECT_EQ(db.winners(kernel).size(), 2u);
}

TEST_F(Lookups, OfAConfigurationOnceSeenWrongThereIsNoTime) {
  db.use_toolchain(key.device, key.toolchain);
  const RunId run = begin_run();
  db.insert_measurement(run, key, timed(64, 2));
  RunResult result;
  result.winner = db.insert_measurement(run, key, timed(32, 1));
  db.finish_run(run, result);
  const Winner winner = db.winners(kernel).at(0);
  const std::vector<Config> configs = {timed(64, 2).config, timed(32, 1).config,
                                       timed(16, 1).config};
  EXPECT_EQ(db.find_median_ms(kernel, winner, configs),
            (std::vector<std::optional<double>>{2, 1, std::nullopt}));
  Measurement wrong = timed(64, 2);
  wrong.status = Status::wrong_result;
  db.insert_measurement(run, key, wrong);
  EXPECT_EQ(db.find_median_ms(kernel, winner, configs),
            (std::vector<std::optional<double>>{std::nullopt, 1, std::nullopt}));
}

TEST_F(Lookups, OfAWarmL2CacheARunThatDidNotEndAnswersToo) {
  key.mode.order = LaunchOrder::warm;
  db.insert_measurement(begin_run(), key, timed(32, 1));
  db.answer_of({LaunchOrder::warm});
  const std::vector<BestRow> rows = db.query_best(kernel);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_FALSE(rows[0].complete);
}

TEST_F(Lookups, InASnapshotAreOfOneMoment) {
  key.problem = db.upsert_problem("sgemm", {{"M", 1}, {"N", 1}});
  ended_run(32, 2);
  const Database reader(file, OpenMode::read_only);
  {
    const Snapshot outer = reader.snapshot();
    EXPECT_EQ(reader.query_best(kernel).at(0).best.measurement.config.find("BM"), 32);
    ended_run(64, 1);
    {
      const Snapshot inner = reader.snapshot();
      EXPECT_EQ(reader.query_best(kernel).at(0).best.measurement.config.find("BM"), 32);
    }
    EXPECT_EQ(reader.winners(kernel).at(0).config.find("BM"), 32);
  }
  EXPECT_EQ(reader.query_best(kernel).at(0).best.measurement.config.find("BM"), 64);
}

}  // namespace
}  // namespace gtune::test
