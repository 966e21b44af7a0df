#include <cmath>
#include <limits>

#include "store/fixture.hpp"

namespace gtune::test {
namespace {

using RoundTrip = StoreTest;

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double k_infinity = std::numeric_limits<double>::infinity();

Measurement full_measurement() {
  Measurement m;
  m.config = {{"BM", 128}, {"BK", -9223372036854775807}};
  m.phase = Phase::final;
  m.label = "shared tile";
  m.status = Status::wrong_result;
  m.reason = "it's \"wrong\"; DROP TABLE run; \xc3\xa4";
  m.resources = ResourceUsage{255, 1, 2, 3, 49152, 1LL << 40, 5, 6, 0.375, "shared memory"};
  Timing timing;
  timing.samples_ms = {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, k_infinity, -0.0};
  timing.median_ms = 1.0 / 3;
  timing.min_ms = 0.1;
  timing.p95_ms = 3;
  timing.mean_ms = 4;
  timing.ci_low_ms = 5;
  timing.ci_high_ms = 6;
  timing.sm_clock_mhz = 1980.5;
  timing.throttled_samples = 7;
  timing.mode = {LaunchOrder::graph, 2};
  timing.converged = true;
  timing.discarded_early = true;
  m.timing = timing;
  m.max_error = 0.25;
  m.compile_ms = 512.5;
  m.gpu_ms = 70.25;
  return m;
}

TEST_F(RoundTrip, KeepsEveryFieldOfAMeasurement) {
  const Measurement in = full_measurement();
  key.mode = in.timing->mode;
  const MeasurementId id = db.insert_measurement(begin_run(), key, in);
  const auto rows = db.load_measurements(key, Phase::final);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].id, id);
  EXPECT_EQ(rows[0].created.size(), std::string("2025-01-31T09:30:00.123Z").size());
  EXPECT_EQ(rows[0].created.back(), 'Z');
  const Measurement& out = rows[0].measurement;
  EXPECT_EQ(out.config.text(), in.config.text());
  EXPECT_EQ(out.phase, in.phase);
  EXPECT_EQ(out.label, in.label);
  EXPECT_EQ(out.status, in.status);
  EXPECT_EQ(out.reason, in.reason);
  EXPECT_EQ(out.max_error, in.max_error);
  EXPECT_EQ(out.compile_ms, in.compile_ms);
  EXPECT_EQ(out.gpu_ms, in.gpu_ms);
  ASSERT_TRUE(out.resources);
  EXPECT_EQ(out.resources->registers, 255);
  EXPECT_EQ(out.resources->stack_bytes, 1);
  EXPECT_EQ(out.resources->spill_store_bytes, 2);
  EXPECT_EQ(out.resources->spill_load_bytes, 3);
  EXPECT_EQ(out.resources->static_shared_bytes, 49152);
  EXPECT_EQ(out.resources->dynamic_shared_bytes, 1LL << 40);
  EXPECT_EQ(out.resources->cubin_bytes, 5);
  EXPECT_EQ(out.resources->blocks_per_sm, 6);
  EXPECT_EQ(out.resources->theoretical_occupancy, 0.375);
  EXPECT_EQ(out.resources->occupancy_limit, "shared memory");
  ASSERT_TRUE(out.timing);
  EXPECT_EQ(out.timing->samples_ms, in.timing->samples_ms);
  EXPECT_EQ(out.timing->median_ms, in.timing->median_ms);
  EXPECT_EQ(out.timing->min_ms, 0.1);
  EXPECT_EQ(out.timing->p95_ms, 3);
  EXPECT_EQ(out.timing->mean_ms, 4);
  EXPECT_EQ(out.timing->ci_low_ms, 5);
  EXPECT_EQ(out.timing->ci_high_ms, 6);
  EXPECT_EQ(out.timing->sm_clock_mhz, 1980.5);
  EXPECT_EQ(out.timing->throttled_samples, 7);
  EXPECT_EQ(out.timing->mode, key.mode);
  EXPECT_TRUE(out.timing->converged);
  EXPECT_TRUE(out.timing->discarded_early);
}

TEST_F(RoundTrip, KeepsWhatIsAbsentAbsent) {
  Measurement in;
  in.config = {{"BM", 1}};
  in.status = Status::pruned;
  in.reason = "300 registers";
  db.insert_measurement(begin_run(), key, in);
  const auto rows = db.load_measurements(key, Phase::search);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].measurement.status, Status::pruned);
  EXPECT_FALSE(rows[0].measurement.resources);
  EXPECT_FALSE(rows[0].measurement.timing);
  EXPECT_FALSE(rows[0].measurement.max_error);
  EXPECT_EQ(sql("SELECT count(*) FROM measurement WHERE registers IS NULL AND median_ms IS NULL "
                "AND samples_ms IS NULL AND max_error IS NULL"),
            "1");
}

TEST_F(RoundTrip, TellsNoSamplesFromNoTiming) {
  Measurement in = timed(1, k_nan);
  in.status = Status::timeout;  // otherwise it cannot be stored
  in.timing->samples_ms.clear();
  in.timing->p95_ms = k_infinity;
  db.insert_measurement(begin_run(), key, in);
  const auto rows = db.load_measurements(key, Phase::search);
  ASSERT_TRUE(rows.at(0).measurement.timing);
  EXPECT_TRUE(rows[0].measurement.timing->samples_ms.empty());
  EXPECT_TRUE(std::isnan(rows[0].measurement.timing->median_ms));
  EXPECT_EQ(rows[0].measurement.timing->p95_ms, k_infinity);
  EXPECT_FALSE(rows[0].measurement.timing->sm_clock_mhz);
}

TEST_F(RoundTrip, WhereOnlyTheMedianWasKeptTheOthersAreTheMedian) {
  Measurement in = timed(1, 2);
  in.timing->samples_ms.clear();
  db.insert_measurement(begin_run(), key, in);
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE)
      .exec(
          "UPDATE measurement SET min_ms = NULL, p95_ms = NULL, mean_ms = NULL, "
          "ci_low_ms = NULL, ci_high_ms = NULL");
  const auto rows = db.load_measurements(key, Phase::search);
  ASSERT_TRUE(rows.at(0).measurement.timing);
  EXPECT_FALSE(rows[0].why_impossible);
  const Timing& timing = *rows[0].measurement.timing;
  for (const double each :
       {timing.min_ms, timing.p95_ms, timing.mean_ms, timing.ci_low_ms, timing.ci_high_ms}) {
    EXPECT_EQ(each, 2);
  }
}

TEST_F(RoundTrip, KeepsNanSamplesAndReadsANanErrorAsInfinitelyWrong) {
  Measurement in = timed(1, 2);
  in.timing->samples_ms = {k_nan, 1};
  in.max_error = k_nan;
  in.status = Status::wrong_result;  // otherwise it cannot be stored
  db.insert_measurement(begin_run(), key, in);
  const auto rows = db.load_measurements(key, Phase::search);
  const Measurement& out = rows.at(0).measurement;
  ASSERT_EQ(out.timing->samples_ms.size(), 2u);
  EXPECT_TRUE(std::isnan(out.timing->samples_ms[0]));
  EXPECT_EQ(out.timing->samples_ms[1], 1);
  EXPECT_EQ(out.max_error, k_infinity);
}

TEST_F(RoundTrip, StoresBytesThatAreNoText) {
  Measurement in = timed(1, 2);
  in.reason = "bad \xff\xfe bytes";
  in.config.set("P\xff", 3);
  EXPECT_NO_THROW(db.insert_measurement(begin_run(), key, in));
  EXPECT_EQ(db.load_measurements(key, Phase::search).at(0).measurement.reason, in.reason);
}

TEST_F(RoundTrip, KeepsARunAndItsResult) {
  RunInfo info;
  info.key = key;
  info.flops = 1.5;
  info.strategy = "random";
  info.budget = "60s";
  info.seed = 18446744073709551615u;
  info.command_line = "gtune sgemm --M 64";
  info.space_signature = "s";
  const RunId run = db.begin_run(info);
  EXPECT_EQ(sql("SELECT concat FROM (SELECT flops || '|' || (bytes IS NULL) || '|' || strategy || "
                "'|' || budget || '|' || seed || '|' || command_line || '|' || (pid > 0) || '|' || "
                "(finished IS NULL) AS concat FROM run)"),
            "1.5|1|random|60s|18446744073709551615|gtune sgemm --M 64|1|1");
  EXPECT_FALSE(db.find_ended_run(key, "s"));
  EXPECT_FALSE(db.load_result(run));

  RunResult result;
  result.winner = db.insert_measurement(run, key, timed(1, 2));
  result.ties = {db.insert_measurement(run, key, timed(4, 2.5)),
                 db.insert_measurement(run, key, timed(3, 2.25))};
  result.verified = true;
  result.summary = {12, 4, {{Status::ok, 10}, {Status::timeout, 2}}, 3.5, 0.0003};
  db.finish_run(run, result);

  EXPECT_EQ(db.find_ended_run(key, "s"), run);
  const auto found = db.load_result(run);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->run, run);
  EXPECT_EQ(found->finished.back(), 'Z');
  EXPECT_EQ(found->winner.id, *result.winner);
  EXPECT_EQ(found->winner.measurement.timing->median_ms, 2);
  ASSERT_EQ(found->ties.size(), 2u);
  EXPECT_EQ(found->ties[0].id, result.ties[0]);
  EXPECT_EQ(found->ties[1].id, result.ties[1]);
  EXPECT_TRUE(found->verified);
  EXPECT_EQ(found->summary.tried, 12);
  EXPECT_EQ(found->summary.reused, 4);
  EXPECT_EQ(found->summary.by_status, result.summary.by_status);
  EXPECT_EQ(found->summary.elapsed_s, 3.5);
  EXPECT_EQ(found->summary.ended_at_gain, 0.0003);
}

TEST_F(RoundTrip, AnEqualValueHasOneRow) {
  EXPECT_EQ(db.upsert_device(some_device()), key.device);
  EXPECT_EQ(db.upsert_toolchain(some_toolchain()), key.toolchain);
  EXPECT_EQ(db.upsert_kernel(kernel), key.kernel);
  EXPECT_EQ(db.upsert_problem("sgemm", {{"N", 32}, {"M", 64}}), key.problem);
  EXPECT_NE(db.upsert_problem("sgemm", {{"N", 64}, {"M", 32}}), key.problem);
  EXPECT_NE(db.upsert_problem("copy", {{"M", 64}, {"N", 32}}), key.problem);
  DeviceFacts recording = some_device();
  recording.replayed = true;
  EXPECT_NE(db.upsert_device(recording), key.device);
}

TEST_F(RoundTrip, KeepsMeasuredLimitsOfADevice) {
  EXPECT_FALSE(db.device_limits(key.device).fma_tflops);
  DeviceFacts facts = some_device();
  facts.limits = {60.5, 400, 4000, 5500, std::nullopt};
  db.upsert_device(facts);
  db.upsert_device(some_device());
  EXPECT_EQ(db.device_limits(key.device).fma_tflops, 60.5);
  EXPECT_EQ(db.device_limits(key.device).tensor_tflops, 400);
  EXPECT_EQ(db.device_limits(key.device).dram_gbps, 4000);
  EXPECT_EQ(db.device_limits(key.device).l2_gbps, 5500);
  EXPECT_FALSE(db.device_limits(key.device).l1_gbps);
  facts.limits.fma_tflops = 61;
  db.upsert_device(facts);
  EXPECT_EQ(db.device_limits(key.device).fma_tflops, 61);
  EXPECT_EQ(sql("SELECT json_extract(facts, '$.dram_gbps') FROM device"), "4000.0");
  // The SQL statement lists the columns in the order of the struct's members.
  EXPECT_EQ(sql("SELECT fma_tflops || ',' || tensor_tflops || ',' || dram_gbps || ',' || l2_gbps "
                "FROM device"),
            "61.0,400.0,4000.0,5500.0");
}

}  // namespace
}  // namespace gtune::test
