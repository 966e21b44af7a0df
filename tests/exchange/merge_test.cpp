// Merging random databases, and their text form.
#include "store/merge.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

#include "exchange/json_lines.hpp"
#include "model/checked_json.hpp"
#include "store/fixture.hpp"
#include "store/inventory.hpp"
#include "support/some_lines.hpp"

namespace gtune::test {
namespace {

const std::string k_hostile = "it's \"a\"\n*/ kernel; DROP TABLE run; --";

/// A database's content without its row numbers: a line for each run, measurement and so on.
std::vector<std::string> content(const fs::path& file) {
  const char* queries[] = {
      "SELECT 'measurement', r.started, r.pid, d.uuid, t.driver, k.name, k.source_hash, p.sizes, "
      "c.params, m.created, m.phase, m.label, m.status, m.reason, m.median_ms, hex(m.samples_ms), "
      "m.max_error, m.registers FROM measurement m JOIN run r ON r.id = run_id "
      "JOIN device d ON d.id = m.device_id JOIN toolchain t ON t.id = m.toolchain_id "
      "JOIN kernel k ON k.id = m.kernel_id JOIN problem p ON p.id = m.problem_id "
      "JOIN config c ON c.id = m.config_id",
      "SELECT 'run', started, finished, pid, seed, command_line, d.uuid, k.source_hash, p.sizes, "
      "flops FROM run r JOIN device d ON d.id = r.device_id JOIN kernel k ON k.id = r.kernel_id "
      "JOIN problem p ON p.id = r.problem_id",
      "SELECT 'result', r.started, r.pid, verified, summary, m.created, m.median_ms, "
      "(SELECT group_concat(created || median_ms, ';') FROM (SELECT created, median_ms FROM "
      "json_each(ties) JOIN measurement ON measurement.id = value ORDER BY 1, 2)) "
      "FROM result JOIN run r ON r.id = result.run_id LEFT JOIN measurement m ON m.id = winner_id",
      "SELECT 'metric', m.created, m.median_ms, x.name, x.value, x.unit, x.reason FROM metric x "
      "JOIN measurement m ON m.id = measurement_id",
      "SELECT 'lines', m.created, m.median_ms, x.samples, x.reason, x.profile FROM line_profile x "
      "JOIN measurement m ON m.id = measurement_id",
      "SELECT 'device', uuid, d.name, facts, fma_tflops, l1_gbps, t.driver FROM device d "
      "LEFT JOIN toolchain t ON t.id = toolchain_id",
      "SELECT 'kernel', name, source_hash, problem_names, parameter_names, first_used, last_used "
      "FROM kernel",
      "SELECT 'toolchain', driver, gtune FROM toolchain",
  };
  SQLite::Database database(file.string(), SQLite::OPEN_READONLY);
  std::vector<std::string> lines;
  for (const char* query : queries) {
    SQLite::Statement statement(database, query);
    while (statement.executeStep()) {
      std::string line;
      for (int i = 0; i < statement.getColumnCount(); ++i) {
        const SQLite::Column column = statement.getColumn(i);
        line += (column.isNull() ? "NULL" : column.getString()) + "|";
      }
      lines.push_back(line);
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// A made-up history of runs. Each database holds some of them, and of some only the beginning.
class Histories : public ::testing::TestWithParam<int> {
 protected:
  void write_part(const fs::path& file, std::uint64_t which) {
    Database db(file, OpenMode::create);
    std::mt19937_64 part(which);
    for (int run = 0; run < 12; ++run) {
      const std::uint64_t fate = part() % 4;
      if (fate != 0) write_run(db, run, fate == 1);
    }
  }

  fs::path merged(const std::vector<fs::path>& inputs) {
    const fs::path out = folder.path() / ("merged" + std::to_string(m_count++) + ".db");
    merge_databases(inputs, out);
    return out;
  }

  TempFolder folder;

 private:
  /// Writes the same run to every database; `half`: it was interrupted there.
  void write_run(Database& db, int number, bool half) const {
    std::mt19937_64 random(static_cast<std::uint64_t>(GetParam() * 100 + number));
    DeviceFacts device = some_device();
    device.uuid = "GPU-" + std::to_string(random() % 2);
    device.sm_count = static_cast<int>(100 + number);  // facts about a device change
    Toolchain toolchain = some_toolchain();
    toolchain.driver = "58" + std::to_string(random() % 3);
    KernelIdentity kernel = some_kernel();
    if (random() % 3 == 0) kernel.name = k_hostile;
    kernel.source_hash = random() % 2 == 0 ? "aa" : "a'a";
    const MeasurementKey key{
        db.upsert_device(device),
        db.upsert_toolchain(toolchain),
        db.upsert_kernel(kernel),
        db.upsert_problem(kernel.name,
                          {{"M", static_cast<std::int64_t>(random() % 3 + 1)}, {"N", 32}}),
        {}};
    db.use_toolchain(key.device, key.toolchain);
    RunInfo info;
    info.key = key;
    info.seed = random();
    info.command_line = "gtune sgemm # " + std::to_string(random() % 2);
    const RunId run = db.begin_run(info);
    const std::string at = "2026-01-" + std::to_string(10 + number) + "T00:00:0";
    auto& sql = db.connection();
    const std::string id = std::to_string(static_cast<std::int64_t>(run));
    std::vector<MeasurementId> measured;
    const int count = static_cast<int>(4 + random() % 6);
    for (int i = 0; i < (half ? count / 2 : count); ++i) {
      Measurement measurement =
          timed(static_cast<std::int64_t>(1 + i / 2 % 3), 1.0 + number + i / 2);
      if (i == 1) {
        measurement.status = Status::wrong_result;
        measurement.max_error = std::numeric_limits<double>::infinity();
      }
      measured.push_back(db.insert_measurement(run, key, measurement));
      // Some are identical.
      sql.exec("UPDATE measurement SET created = '" + at + std::to_string(i / 2) +
               ".000Z' WHERE id = " + std::to_string(static_cast<std::int64_t>(measured.back())));
    }
    sql.exec("INSERT INTO metric VALUES (" +
             std::to_string(static_cast<std::int64_t>(measured[0])) + ", 'x', 0.1, 'MB', '')");
    db.insert_line_profile(measured[0],
                           half ? StoredLines{{}, "busy"} : StoredLines{some_lines(), ""});
    if (!half) {
      db.finish_run(run, {measured[0], {measured[1], measured[0]}, true, {}});
    }
    sql.exec("UPDATE run SET started = '" + at +
             "0.000Z', pid = 7, finished = iif(finished IS "
             "NULL, NULL, '" +
             at + "9.000Z') WHERE id = " + id);
    sql.exec("UPDATE kernel SET first_used = min(first_used, '" + at + "'), last_used = '" + at +
             "' WHERE id = " + std::to_string(static_cast<std::int64_t>(key.kernel)));
  }

  int m_count = 0;
};

TEST_P(Histories, MergeIdempotentlyAndInAnyOrder) {
  const fs::path a = folder.path() / "a.db";
  const fs::path b = folder.path() / "b.db";
  const fs::path c = folder.path() / "c.db";
  write_part(a, 1);
  write_part(b, 2);
  write_part(c, 3);
  const auto of_a = content(a);
  ASSERT_GT(of_a.size(), 20U);
  EXPECT_NE(of_a, content(b));
  EXPECT_EQ(content(merged({a, a})), of_a);
  EXPECT_EQ(content(merged({a})), of_a);
  const fs::path ab = merged({a, b});
  EXPECT_EQ(content(ab), content(merged({b, a})));
  EXPECT_EQ(content(merged({ab, a})), content(ab));
  const auto all = content(merged({a, b, c}));
  EXPECT_EQ(content(merged({ab, c})), all);
  EXPECT_EQ(content(merged({a, merged({b, c})})), all);
  EXPECT_EQ(content(merged({c, b, a})), all);
  for (const std::string& line : of_a) {
    if (!line.starts_with("measurement") && !line.starts_with("result")) continue;
    EXPECT_TRUE(std::binary_search(all.begin(), all.end(), line)) << line;
  }
  SQLite::Database database(ab.string(), SQLite::OPEN_READONLY);
  EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
  EXPECT_FALSE(SQLite::Statement(database, "PRAGMA foreign_key_check").executeStep());
  EXPECT_EQ(database
                .execAndGet("SELECT count(*) FROM (SELECT created, lag(created) OVER "
                            "(ORDER BY id) AS before FROM measurement) WHERE created < before")
                .getInt(),
            0);
}

TEST_P(Histories, ComeBackFromJsonLines) {
  const fs::path a = folder.path() / "a.db";
  const fs::path b = folder.path() / "b.db";
  write_part(a, 1);
  Database(a, OpenMode::create)
      .connection()
      .exec("UPDATE measurement SET reason = cast(x'ff0a22' AS TEXT) WHERE id = 1");
  std::string text;
  {
    Database db(a, OpenMode::read_only);
    write_json_lines(db, [&](std::string_view line) { (text += line) += '\n'; });
  }
  std::istringstream once(text);
  read_json_lines(once, "a.jsonl", b);
  EXPECT_EQ(content(b), content(a));
  std::istringstream twice(text);
  read_json_lines(twice, "a.jsonl", b);
  EXPECT_EQ(content(b), content(a));
}

TEST(Merging, KeepsWhatWasLearntOfADeviceLast) {
  TempFolder folder;
  const fs::path older = folder.path() / "older.db";
  const fs::path newer = folder.path() / "newer.db";
  for (const fs::path& file : {older, newer}) {
    Database db(file, OpenMode::create);
    DeviceFacts device = some_device();
    device.sm_count = file == older ? 1 : 2;
    Toolchain toolchain = some_toolchain();
    toolchain.driver = file == older ? "9" : "10";
    RunInfo info;
    info.key = {db.upsert_device(device),
                db.upsert_toolchain(toolchain),
                db.upsert_kernel(some_kernel()),
                db.upsert_problem("sgemm", {{"M", 1}}),
                {}};
    db.use_toolchain(info.key.device, info.key.toolchain);
    static_cast<void>(db.begin_run(info));
    db.connection().exec(file == older ? "UPDATE run SET started = '2026-01-01'"
                                       : "UPDATE run SET started = '2026-02-01'");
  }
  int count = 0;
  for (const auto& inputs : {std::vector{older, newer}, std::vector{newer, older}}) {
    const fs::path out = folder.path() / ("out" + std::to_string(count++) + ".db");
    merge_databases(inputs, out);
    SQLite::Database read(out.string(), SQLite::OPEN_READONLY);
    EXPECT_EQ(read.execAndGet("SELECT sm_count FROM device").getInt(), 2);
    EXPECT_EQ(read.execAndGet("SELECT driver FROM device JOIN toolchain ON "
                              "toolchain.id = toolchain_id")
                  .getString(),
              "10");
    // The newer toolchain also has the larger number.
    EXPECT_EQ(read.execAndGet("SELECT group_concat(driver) FROM (SELECT driver FROM toolchain "
                              "ORDER BY id)")
                  .getString(),
              "9,10");
  }
}

TEST(Merging, LeavesOutSourceLinesOfAMeasurementThatIsNotThere) {
  TempFolder folder;
  const fs::path in = folder.path() / "in.db";
  Database db(in, OpenMode::create);
  MeasurementKey key;
  key.device = db.upsert_device(some_device());
  key.toolchain = db.upsert_toolchain(some_toolchain());
  key.kernel = db.upsert_kernel(some_kernel());
  key.problem = db.upsert_problem("sgemm", {{"M", 1}});
  RunInfo info;
  info.key = key;
  (void)db.insert_measurement(db.begin_run(info), key, timed(16, 1));
  db.connection().exec(
      "PRAGMA foreign_keys = OFF; INSERT INTO line_profile VALUES (99, NULL, 'of none', '')");
  const fs::path out = folder.path() / "out.db";
  merge_databases({in}, out);
  SQLite::Database read(out.string(), SQLite::OPEN_READONLY);
  EXPECT_EQ(read.execAndGet("SELECT count(*) FROM measurement").getInt(), 1);
  EXPECT_EQ(read.execAndGet("SELECT count(*) FROM line_profile").getInt(), 0);
}

INSTANTIATE_TEST_SUITE_P(Random, Histories, ::testing::Range(0, 8));

using JsonLines = StoreTest;

TEST_F(JsonLines, OfTheFirstSchemaAreReadToo) {
  ended_run(16, 3);
  key.mode.order = LaunchOrder::warm;
  ended_run(32, 2);
  std::string text;
  write_json_lines(db, [&](std::string_view line) {
    nlohmann::json row = nlohmann::json::parse(line);
    if (row.contains("schema")) row["schema"] = 1;
    for (const char* limit : {"tensor_tflops", "l2_gbps", "l1_gbps"}) row.erase(limit);
    if (row.contains("timing")) {
      const int flushed = row["timing"] == "cold" ? 1 : 0;
      row.erase("timing");
      row.erase("objective");
      row["l2_flushed"] = flushed;
      if (row["table"] == "measurement") row["timed_l2_flushed"] = flushed;
    }
    (text += row.dump()) += '\n';
  });
  std::istringstream in(text);
  const fs::path other = folder.path() / "other.db";
  read_json_lines(in, "x.jsonl", other);
  const auto lines_of = [](Database& database) {
    std::string lines;
    write_json_lines(database, [&](std::string_view line) { (lines += line) += '\n'; });
    return lines;
  };
  Database read(other, OpenMode::read_only);
  EXPECT_EQ(lines_of(read), lines_of(db));
}

TEST_F(JsonLines, ThatAreWrongChangeNothing) {
  kernel.name = k_hostile;
  db.upsert_kernel(kernel);
  ended_run(32, 2);
  std::string text;
  write_json_lines(db, [&](std::string_view line) { (text += line) += '\n'; });
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string bad = text;
    const std::size_t at = bad.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    bad.replace(at, from.size(), to);
    std::istringstream in(bad);
    const fs::path other = folder.path() / "other.db";
    const std::string error = error_of([&] { read_json_lines(in, "x.jsonl", other); });
    EXPECT_FALSE(fs::exists(other));
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 0) << error;
    EXPECT_TRUE(error.starts_with("1: x.jsonl:")) << error;
    return error;
  };
  EXPECT_NE(refused("\"ok\"", "\"fine\"").find("'fine' is no status"), std::string::npos);
  EXPECT_NE(refused("\"schema\":", "\"schema\":9").find("newer gtune"), std::string::npos);
  refused("gtune_rows", "rows");
  refused("\"table\":\"device\"", "\"table\":\"devices\"");
  refused("\"table\":\"device\"", "\"table\":\"device");
  refused("\"replayed\":0", "\"replayed\":2");
  refused("\"run_id\":1", "\"run_id\":77");
  refused("\"pid\":", "\"pit\":");
  refused("\"problem_names\":\"[", "\"problem_names\":\"");
}

TEST_F(JsonLines, OfAHostileNameMakeViews) {
  kernel.name = k_hostile;
  key.kernel = db.upsert_kernel(kernel);
  key.problem = db.upsert_problem(kernel.name, {{"M", 64}, {"N", 32}});
  ended_run(32, 2);
  std::string text;
  write_json_lines(db, [&](std::string_view line) { (text += line) += '\n'; });
  std::istringstream in(text);
  const fs::path other = folder.path() / "other.db";
  read_json_lines(in, "x.jsonl", other);
  SQLite::Database read(other.string(), SQLite::OPEN_READONLY);
  const std::string view =
      read.execAndGet("SELECT name FROM sqlite_schema WHERE name LIKE 'best_it%'").getString();
  EXPECT_EQ(read.execAndGet("SELECT BM FROM " + view).getInt(), 32);
}

TEST_F(JsonLines, OrDatabasesThatCannotBeReadLeaveNoMerge) {
  ended_run(32, 2);
  const fs::path out = folder.path() / "out.db";
  const fs::path other = folder.path() / "other.db";
  const auto refused = [&](const std::vector<fs::path>& inputs, const fs::path& to) {
    const std::string error = error_of([&] { merge_databases(inputs, to); });
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 0) << error;
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      EXPECT_FALSE(entry.path().filename().string().starts_with("out.db")) << entry.path();
    }
    return error;
  };
  EXPECT_TRUE(refused({file, other}, out).starts_with("5: no database at "));
  std::ofstream(other) << "This is no database, and longer than a header of one would be........"
                          "......................................................";
  EXPECT_NE(refused({file, other}, out).find("is not a database"), std::string::npos);
  fs::remove(other);
  { Database made(other, OpenMode::create); }
  SQLite::Database(other.string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  EXPECT_NE(refused({file, other}, out).find("newer gtune"), std::string::npos);
  EXPECT_NE(refused({file}, folder.path() / "no" / "out.db").find("cannot be written"),
            std::string::npos);
  EXPECT_NE(refused({file}, file).find("exists"), std::string::npos);
}

TEST_F(JsonLines, OfDamagedPagesLeaveNoMerge) {
  for (int i = 0; i < 300; ++i) ended_run(32, 2);
  db.fold_journal();
  const fs::path other = folder.path() / "other.db";
  fs::copy_file(file, other);
  {
    std::fstream bytes(other, std::ios::in | std::ios::out | std::ios::binary);
    const auto size = static_cast<std::streamoff>(fs::file_size(other));
    const std::string junk(4096, '\x5a');
    for (std::streamoff at = 8 * 4096L; at + 4096 <= size; at += 4096) {
      bytes.seekp(at);
      bytes.write(junk.data(), 4096);
    }
  }
  const fs::path out = folder.path() / "out.db";
  const std::string error = error_of([&] { merge_databases({other}, out); });
  EXPECT_NE(error.find("damaged"), std::string::npos) << error;
  EXPECT_FALSE(fs::exists(out));
}

TEST_F(JsonLines, ArePrunedOfOldSourcesAlone) {
  ended_run(32, 2);
  KernelIdentity newer = kernel;
  newer.source_hash = "cc";
  key.kernel = db.upsert_kernel(newer);
  db.connection().exec("UPDATE kernel SET last_used = '2099' WHERE source_hash = 'cc'");
  ended_run(64, 3);
  const auto before = content(file);
  const Pruned would = prune(db, "", true);
  EXPECT_EQ(would.measurements, 1);
  EXPECT_EQ(would.runs, 1);
  ASSERT_EQ(would.kernels.size(), 1U);
  EXPECT_EQ(would.kernels[0].source_hash, "aa");
  EXPECT_EQ(content(file), before);
  EXPECT_EQ(db.connection().execAndGet("PRAGMA foreign_keys").getInt(), 1);
  EXPECT_EQ(prune(db, "another", false).measurements, 0);
  EXPECT_EQ(content(file), before);
  EXPECT_EQ(prune(db, "", false).measurements, 1);
  EXPECT_EQ(sql("SELECT count(*) FROM measurement"), "1");
  EXPECT_EQ(sql("SELECT group_concat(source_hash) FROM kernel"), "cc");
  EXPECT_EQ(sql("SELECT count(*) FROM config"), "1");
}

}  // namespace
}  // namespace gtune::test
