#include "store/fixture.hpp"

namespace gtune::test {
namespace {

using Views = StoreTest;

TEST_F(Views, BestHasRealColumns) {
  ended_run(128, 4);
  db.refresh_views(kernel);
  EXPECT_EQ(sql("SELECT M || '|' || N || '|' || BM || '|' || BK || '|' || gflops || '|' || gbps || "
                "'|' || median_ms || '|' || samples || '|' || verified || '|' || source_hash || "
                "'|' || replayed || '|' || device FROM best_sgemm WHERE M = 64 AND BM = 128"),
            "64|32|128|8|500.0|1.0|4.0|2|not recorded|aa|0|NVIDIA Test");
  EXPECT_EQ(sql("SELECT typeof(M) || typeof(BM) FROM best_sgemm"), "integerinteger");
  EXPECT_EQ(sql("SELECT count(*) FROM best_sgemm WHERE M = 65"), "0");
}

TEST_F(Views, BestShowsTheSourceUsedLast) {
  ended_run(128, 4);
  KernelIdentity edited = kernel;
  edited.source_hash = "edited";
  edited.parameter_names = {"BM", "BK", "NEW"};
  key.kernel = db.upsert_kernel(edited);
  db.refresh_views(edited);
  EXPECT_EQ(sql("SELECT count(*) FROM best_sgemm"), "0");
  Measurement measurement = timed(32, 3);
  measurement.config.set("NEW", 5);
  db.insert_measurement(begin_run(), key, measurement);
  EXPECT_EQ(sql("SELECT source_hash || NEW FROM best_sgemm"), "edited5");
  EXPECT_EQ(sql("SELECT count(*) FROM all_sgemm"), "2");
}

TEST_F(Views, AskForTheirNamesWhereATableOrAnIndexHasThem) {
  ended_run(128, 4);
  for (const char* own : {"TABLE best_SGEMM (own)", "INDEX all_sgemm ON metric (name)"}) {
    db.connection().exec(std::string("CREATE ") + own);
    try {
      db.refresh_views(kernel);
      ADD_FAILURE() << own;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find("rename it"), std::string::npos) << error.what();
    }
    db.connection().exec("DROP TABLE IF EXISTS best_sgemm");
  }
}

TEST_F(Views, AllHasEveryMeasurementWithItsState) {
  const RunId run = begin_run();
  Measurement failed;
  failed.config = {{"BM", 7}, {"BK", 8}};
  failed.status = Status::timeout;
  failed.reason = "10 s";
  db.insert_measurement(run, key, failed);
  db.insert_measurement(run, key, timed(8, 1));
  db.insert_measurement(run, key, timed(8, 1));
  db.refresh_views(kernel);
  EXPECT_EQ(sql("SELECT count(*) FROM all_sgemm"), "3");
  EXPECT_EQ(sql("SELECT status || reason || phase || BM FROM all_sgemm WHERE gflops IS NULL"),
            "timeout10 ssearch7");
}

TEST_F(Views, AreLeftAloneWhereTheyAreCurrent) {
  db.refresh_views(kernel);
  const std::string before = sql("PRAGMA schema_version");
  db.refresh_views(kernel);
  EXPECT_EQ(sql("PRAGMA schema_version"), before);
  kernel.parameter_names.push_back("TM");
  db.refresh_views(kernel);
  EXPECT_NE(sql("PRAGMA schema_version"), before);
  EXPECT_EQ(sql("SELECT count(TM) FROM best_sgemm"), "0");
}

TEST_F(Views, NamesThatCollideGetANumber) {
  KernelIdentity odd{"odd", "s", "t", {"device", "Gflops"}, {"bm", "BM", "median_ms", "device_2"}};
  key.kernel = db.upsert_kernel(odd);
  key.problem = db.upsert_problem("odd", {{"device", 1}, {"Gflops", 2}});
  Measurement measurement = timed(0, 4);
  measurement.config = {{"bm", 3}, {"BM", 4}, {"median_ms", 5}, {"device_2", 6}};
  db.insert_measurement(begin_run(), key, measurement);
  db.refresh_views(odd);
  EXPECT_EQ(sql("SELECT device || device_2 || Gflops_2 || bm || BM_2 || median_ms_2 || "
                "device_2_2 || median_ms || gflops FROM best_odd"),
            "NVIDIA Test1234564.0500.0");
}

TEST_F(Views, HostileNamesAreOnlyNames) {
  const std::string hostile = "x'; DROP TABLE run; --\n\"";
  const std::string size = "M\"'\n]";
  KernelIdentity odd{hostile, "s", "t", {size}, {"$.a", "b.c", ""}};
  key.kernel = db.upsert_kernel(odd);
  key.problem = db.upsert_problem(hostile, {{size, 11}});
  Measurement measurement = timed(0, 4);
  measurement.config = {{"$.a", 1}, {"b.c", 2}, {"", 3}};
  db.insert_measurement(begin_run(), key, measurement);
  db.refresh_views(odd);
  EXPECT_EQ(sql("SELECT \"M\"\"'\n]\" || \"$.a\" || \"b.c\" || \"\" FROM "
                "best_x___DROP_TABLE_run______"),
            "11123");
  EXPECT_EQ(sql("SELECT count(*) FROM run"), "1");
}

TEST_F(Views, KernelsOfOnePlainNameHaveAViewEach) {
  std::vector<KernelIdentity> kernels;
  for (const char* name : {"a-b", "a_b", "A b"}) {
    kernels.push_back({name, "s", "t", {"M"}, {"BM"}});
    key.kernel = db.upsert_kernel(kernels.back());
    key.problem = db.upsert_problem(name, {{"M", static_cast<std::int64_t>(kernels.size())}});
    ended_run(1, 1);
  }
  for (auto kernel_at = kernels.rbegin(); kernel_at != kernels.rend(); ++kernel_at) {
    db.refresh_views(*kernel_at);
  }
  EXPECT_EQ(sql("SELECT M FROM best_a_b"), "1");
  EXPECT_EQ(sql("SELECT M FROM best_a_b_2"), "2");
  EXPECT_EQ(sql("SELECT M FROM best_A_b_3"), "3");
}

}  // namespace
}  // namespace gtune::test
