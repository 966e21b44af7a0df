#include <fstream>
#include <iterator>

#include "embedded/001_initial.sql.hpp"
#include "embedded/002_timing_modes.sql.hpp"
#include "embedded/003_line_profiles.sql.hpp"
#include "store/fixture.hpp"
#include "store/merge.hpp"
#include "store/schema.hpp"

namespace gtune::test {
namespace {

/// A database of schema 1 with a cold winner of 2 ms and a warm one of 1 ms.
class OlderSchema : public ::testing::Test {
 protected:
  OlderSchema() {
    SQLite::Database old(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    old.exec(std::string(embedded::k_001_initial_sql));
    old.exec("PRAGMA application_id = 0x6774756e; PRAGMA user_version = 1");
    old.exec(
        "INSERT INTO toolchain VALUES (1, '580.1', '13.0', '13.0', '', '0.1.0');"
        "INSERT INTO kernel (id, name, source_hash, spec_hash, problem_names, parameter_names) "
        "VALUES (1, 'sgemm', 'aa', 'bb', '[\"M\",\"N\"]', '[\"BM\",\"BK\"]');"
        "INSERT INTO problem VALUES (1, 'sgemm', '{\"M\":64,\"N\":32}');"
        "INSERT INTO config VALUES (1, 'sgemm', '{\"BK\":8,\"BM\":16}');"
        "INSERT INTO config VALUES (2, 'sgemm', '{\"BK\":8,\"BM\":32}')");
    SQLite::Statement device(old,
                             "INSERT INTO device VALUES (1, 'NVIDIA Test', 'GPU-1', 0, 90, 132, 0, "
                             "0, 0, 0, ?, NULL, NULL, 1)");
    device.bind(1, R"({"name":"NVIDIA Test","uuid":"GPU-1","replayed":false})");
    device.exec();
    add(old, 1, true, 2);
    add(old, 2, false, 1);
    old.exec(
        "CREATE VIEW mine AS SELECT l2_flushed FROM run;"
        "CREATE VIEW best_sgemm AS SELECT m.l2_flushed FROM measurement AS m");
  }

  static void add(SQLite::Database& old, int id, bool flushed, double ms) {
    const std::string number = std::to_string(id);
    const std::string state = flushed ? "1" : "0";
    old.exec(
        "INSERT INTO run (id, finished, device_id, toolchain_id, kernel_id, problem_id, "
        "l2_flushed, strategy, budget, seed, command_line, space_signature, whole_space, pid) "
        "VALUES (" +
        number + ", 'then', 1, 1, 1, 1, " + state + ", 'random', '', '1', '', 'all', 1, 1)");
    SQLite::Statement insert(
        old,
        "INSERT INTO measurement (id, run_id, device_id, toolchain_id, kernel_id, problem_id, "
        "config_id, l2_flushed, phase, label, status, reason, median_ms, min_ms, p95_ms, mean_ms, "
        "ci_low_ms, ci_high_ms, throttled_samples, timed_l2_flushed, converged, discarded_early, "
        "samples_ms) VALUES (?1, ?1, 1, 1, 1, 1, ?1, ?2, 'final', '', 'ok', '', ?3, ?3, ?3, ?3, "
        "?3, "
        "?3, 0, ?2, 1, 0, ?4)");
    insert.bind(1, id);
    insert.bind(2, flushed ? 1 : 0);
    insert.bind(3, ms);
    const double samples[] = {ms, ms};
    insert.bind(4, static_cast<const void*>(samples), sizeof samples);
    insert.exec();
    old.exec("INSERT INTO result VALUES (" + number + ", " + number +
             R"(, '[]', 'passed', '{"tried":1,"reused":0,"by_status":{},"elapsed_s":1}'))");
  }

  std::string content() {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  static void expect_both_winners(Database& database) {
    const auto best_ms = [&] {
      const auto rows = database.query_best(some_kernel(), {});
      return rows.empty() ? 0.0 : rows.front().best.measurement.timing->median_ms;
    };
    EXPECT_EQ(best_ms(), 2);
    database.answer_of({LaunchOrder::warm});
    EXPECT_EQ(best_ms(), 1);
    database.answer_of({LaunchOrder::graph});
    EXPECT_EQ(best_ms(), 0);
  }

  TempFolder folder;
  fs::path file = folder.path() / "old.db";
};

TEST_F(OlderSchema, IsBroughtUpToDateForWriting) {
  Database database(file, OpenMode::create);
  SQLite::Database& now = database.connection();
  EXPECT_EQ(now.execAndGet("PRAGMA user_version").getInt(), k_schema_version);
  EXPECT_EQ(now.execAndGet("PRAGMA foreign_keys").getInt(), 1);
  EXPECT_EQ(now.execAndGet("PRAGMA integrity_check").getString(), "ok");
  EXPECT_EQ(now.execAndGet("SELECT count(*) FROM pragma_foreign_key_check").getInt(), 0);
  EXPECT_EQ(now.execAndGet("SELECT group_concat(timing) FROM (SELECT timing FROM run ORDER BY id)")
                .getString(),
            "cold,warm");
  // gtune's view is made anew; the user's own stays, though its column is gone.
  SQLite::Database plain(file.string(), SQLite::OPEN_READONLY);
  EXPECT_EQ(plain.execAndGet("SELECT timing || BM FROM best_sgemm").getString(), "cold16");
  EXPECT_EQ(now.execAndGet("SELECT count(*) FROM sqlite_schema WHERE name = 'mine'").getInt(), 1);
  expect_both_winners(database);
  Database again(file, OpenMode::create);
  EXPECT_EQ(again.query_best(some_kernel(), {}).size(), 1U);
}

TEST_F(OlderSchema, IsReadWithoutAChange) {
  const std::string before = content();
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::immutable, OpenMode::untouched}) {
    Database database(file, mode);
    expect_both_winners(database);
  }
  EXPECT_EQ(content(), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST_F(OlderSchema, CanBeMerged) {
  const std::string before = content();
  merge_databases({file, file}, folder.path() / "all.db");
  Database all(folder.path() / "all.db", OpenMode::read_only);
  expect_both_winners(all);
  EXPECT_EQ(content(), before);
}

TEST_F(OlderSchema, IsRefusedIfItsTablesAreNotGtunes) {
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE)
      .exec("ALTER TABLE metric ADD COLUMN mine TEXT");
  for (const OpenMode mode : {OpenMode::create, OpenMode::read_only}) {
    const std::string error = error_of([&] { Database(file, mode); });
    EXPECT_NE(error.find("its table metric is not gtune's"), std::string::npos) << error;
  }
}

TEST(SchemaTwo, GetsATableForSourceLines) {
  const TempFolder folder;
  const fs::path file = folder.path() / "two.db";
  {
    SQLite::Database old(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    old.exec(std::string(embedded::k_001_initial_sql));
    old.exec("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON");
    old.exec(std::string(embedded::k_002_timing_modes_sql));
    old.exec("PRAGMA application_id = 0x6774756e; PRAGMA user_version = 2");
  }
  EXPECT_FALSE(Database(file, OpenMode::read_only).load_line_profile(MeasurementId{1}));
  Database database(file, OpenMode::create);
  EXPECT_EQ(database.connection().execAndGet("SELECT COUNT(*) FROM line_profile").getInt(), 0);
}

/// A database of schema 3, as bundled results may be, with a device whose limits of caches are not
/// known.
class SchemaThree : public ::testing::Test {
 protected:
  SchemaThree() {
    SQLite::Database old(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    old.exec("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON");
    for (const auto& migration : {embedded::k_001_initial_sql, embedded::k_002_timing_modes_sql,
                                  embedded::k_003_line_profiles_sql}) {
      old.exec(std::string(migration));
    }
    old.exec("PRAGMA application_id = 0x6774756e; PRAGMA user_version = 3");
    SQLite::Statement device(old,
                             "INSERT INTO device VALUES (1, 'NVIDIA Test', 'GPU-1', 0, 90, 132, 0, "
                             "0, 0, 0, ?, 60.5, 4000, NULL)");
    device.bind(1, R"({"name":"NVIDIA Test","uuid":"GPU-1","replayed":false,"fma_tflops":60.5,)"
                   R"("dram_gbps":4000})");
    device.exec();
  }

  static void expect_old_limits(Database& database) {
    const DeviceLimits limits = database.device_limits(DeviceId{1});
    EXPECT_EQ(limits.fma_tflops, 60.5);
    EXPECT_EQ(limits.dram_gbps, 4000);
    EXPECT_FALSE(limits.tensor_tflops);
    EXPECT_FALSE(limits.l2_gbps);
    EXPECT_FALSE(limits.l1_gbps);
  }

  TempFolder folder;
  fs::path file = folder.path() / "three.db";
};

TEST_F(SchemaThree, IsReadFromAFileThatMayNotBeChanged) {
  fs::permissions(file, fs::perms::owner_read);
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::immutable, OpenMode::untouched}) {
    Database database(file, mode);
    expect_old_limits(database);
  }
  EXPECT_EQ(SQLite::Database(file.string()).execAndGet("PRAGMA user_version").getInt(), 3);
}

TEST_F(SchemaThree, IsReadInWalMode) {
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec("PRAGMA journal_mode = WAL");
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::immutable, OpenMode::untouched}) {
    Database database(file, mode);
    expect_old_limits(database);
  }
}

TEST_F(SchemaThree, GetsColumnsForLimitsOfCaches) {
  Database database(file, OpenMode::create);
  expect_old_limits(database);
  DeviceFacts facts = some_device();
  facts.uuid = "GPU-1";
  facts.limits.l1_gbps = 30000;
  EXPECT_EQ(database.upsert_device(facts), DeviceId{1});
  EXPECT_EQ(database.device_limits(DeviceId{1}).fma_tflops, 60.5);
  EXPECT_EQ(database.device_limits(DeviceId{1}).l1_gbps, 30000);
}

TEST_F(SchemaThree, IsMergedWithTheLimitsOfALaterRun) {
  const fs::path newer = folder.path() / "newer.db";
  {
    Database database(newer, OpenMode::create);
    RunInfo info;
    DeviceFacts facts = some_device();
    facts.uuid = "GPU-1";
    facts.limits = {60, 400, 4000, 5500, 30000};
    info.key = {database.upsert_device(facts),
                database.upsert_toolchain(some_toolchain()),
                database.upsert_kernel(some_kernel()),
                database.upsert_problem("sgemm", {{"M", 1}}),
                {}};
    static_cast<void>(database.begin_run(info));
  }
  int count = 0;
  for (const auto& inputs : {std::vector{file, newer}, std::vector{newer, file}}) {
    const fs::path out = folder.path() / ("out" + std::to_string(count++) + ".db");
    merge_databases(inputs, out);
    const Database all(out, OpenMode::read_only);
    EXPECT_EQ(all.device_limits(DeviceId{1}).l1_gbps, 30000);
    EXPECT_EQ(all.device_limits(DeviceId{1}).fma_tflops, 60);
  }
}

}  // namespace
}  // namespace gtune::test
