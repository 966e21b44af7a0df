// Databases that another program wrote, or changed.
#include <fstream>
#include <sstream>

#include "exchange/json_lines.hpp"
#include "model/possible_measurement.hpp"
#include "store/fixture.hpp"
#include "store/merge.hpp"

namespace gtune::test {
namespace {

class ForeignDatabase : public StoreTest {
 protected:
  /// Executes statements as another program would, with unchecked foreign keys.
  void change(const std::string& statements) {
    SQLite::Database other(file.string(), SQLite::OPEN_READWRITE);
    other.exec("PRAGMA foreign_keys = OFF; " + statements);
  }

  [[nodiscard]] std::string opened(OpenMode mode = OpenMode::create) const {
    return error_of([&] { (void)Database(file, mode); });
  }

  [[nodiscard]] std::string merged() {
    const fs::path out = folder.path() / "out.db";
    const std::string error = error_of([&] { merge_databases({file}, out); });
    EXPECT_EQ(fs::exists(out), error == "no error");
    return error;
  }

  static bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  /// Two ended runs: one with configuration 32, and one with 64, which is faster.
  void two_runs() {
    ended_run(32, 4);
    ended_run(64, 2);
  }

  [[nodiscard]] std::string best() const {
    const Database read(file, OpenMode::read_only);
    const auto winners = read.winners(kernel);
    return winners.empty() ? "none" : winners.at(0).config.text();
  }
};

TEST_F(ForeignDatabase, OfASchemaThatNoGtuneWritesIsRefused) {
  for (const char* version : {"-5", "0", "-2147483648"}) {
    change(std::string("PRAGMA user_version = ") + version);
    for (const OpenMode mode : {OpenMode::create, OpenMode::read_only}) {
      EXPECT_TRUE(opened(mode).starts_with("1: database ")) << opened(mode);
      EXPECT_TRUE(holds(opened(mode), "which no gtune writes")) << opened(mode);
    }
  }
}

TEST_F(ForeignDatabase, ItsTriggersDoNotFire) {
  const RunId run = begin_run();
  change(
      "CREATE TRIGGER faster AFTER INSERT ON measurement BEGIN "
      "UPDATE measurement SET median_ms = median_ms / 1000 WHERE id = new.id; END");
  Database there(file, OpenMode::create);
  there.insert_measurement(run, key, timed(1, 2));
  EXPECT_EQ(sql("SELECT median_ms FROM measurement"), "2.0");
}

TEST_F(ForeignDatabase, WithATableOfAnotherFormIsRefused) {
  change("ALTER TABLE metric ADD COLUMN more TEXT GENERATED ALWAYS AS (name)");
  EXPECT_TRUE(holds(opened(), "its table metric is not gtune's")) << opened();
  change(
      "ALTER TABLE metric DROP COLUMN more; ALTER TABLE measurement RENAME TO real; "
      "CREATE VIEW measurement AS SELECT * FROM real");
  EXPECT_TRUE(holds(opened(), "is not gtune's")) << opened();
}

TEST_F(ForeignDatabase, ItsOwnTablesViewsAndIndexesDoNoHarm) {
  two_runs();
  change(
      "CREATE TABLE notes (text); CREATE INDEX i ON measurement (created); "
      "DROP VIEW winner; DROP VIEW ended_run; DROP VIEW speed; "
      "CREATE VIEW winner AS SELECT 1 AS kernel_id; ANALYZE");
  EXPECT_EQ(opened(), "no error");
  EXPECT_EQ(best(), "BM=64,BK=8");
}

TEST_F(ForeignDatabase, WhatCannotHaveBeenMeasuredIsNeverTheBest) {
  two_runs();
  for (const char* lie : {"median_ms = 0", "median_ms = -1, min_ms = -1", "median_ms = 1e-300",
                          "median_ms = 1e-9", "min_ms = 0", "samples_ms = NULL"}) {
    change("UPDATE measurement SET median_ms = 2, min_ms = 2 WHERE id = 2");
    ASSERT_EQ(best(), "BM=64,BK=8");
    change(std::string("CREATE TABLE kept AS SELECT samples_ms FROM measurement WHERE id = 2; "
                       "UPDATE measurement SET ") +
           lie + " WHERE id = 2");
    EXPECT_EQ(best(), "BM=32,BK=8") << lie;
    const auto rows = db.load_measurements(key, Phase::search);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_FALSE(rows[1].measurement.ok()) << lie;
    EXPECT_TRUE(rows[1].why_impossible || !rows[1].measurement.timing) << lie;
    change(
        "UPDATE measurement SET samples_ms = (SELECT samples_ms FROM kept) WHERE id = 2; "
        "DROP TABLE kept");
  }
}

TEST_F(ForeignDatabase, NorIsItWhileARunIsGoing) {
  const RunId run = begin_run();
  db.insert_measurement(run, key, timed(32, 4));
  db.insert_measurement(run, key, timed(64, 2));
  EXPECT_EQ(best(), "BM=64,BK=8");
  change("UPDATE measurement SET median_ms = 0 WHERE id = 2");
  EXPECT_EQ(best(), "BM=32,BK=8");
  db.answer_of({LaunchOrder::warm});
  EXPECT_TRUE(db.winners(kernel).empty());
}

TEST_F(ForeignDatabase, ImpossibleRowsAreRefusedByAMergeByTheirRow) {
  two_runs();
  EXPECT_EQ(merged(), "no error");
  fs::remove(folder.path() / "out.db");
  for (const char* lie :
       {"median_ms = 0", "median_ms = 1", "gpu_ms = 1e308", "gpu_ms = -1", "phase = 'warmup'",
        "status = 'splendid'", "registers = -1", "registers = 1 << 40", "max_error = -1",
        "samples_ms = x'00'", "samples_ms = zeroblob(16)", "throttled_samples = -1"}) {
    change("CREATE TABLE kept AS SELECT * FROM measurement");
    change(std::string("UPDATE measurement SET ") + lie + " WHERE id = 2");
    const std::string error = merged();
    EXPECT_TRUE(error.starts_with("1: database ")) << lie << ": " << error;
    EXPECT_TRUE(holds(error, "in row 2 of measurement")) << lie << ": " << error;
    change("DELETE FROM measurement; INSERT INTO measurement SELECT * FROM kept; DROP TABLE kept");
  }
  change("UPDATE device SET facts = json_set(facts, '$.sm_count', -1)");
  EXPECT_TRUE(holds(merged(), "in row 1 of device"));
}

TEST_F(ForeignDatabase, WhatCannotHaveBeenMeasuredIsNotStored) {
  const RunId run = begin_run();
  Measurement lie = timed(1, 2);
  lie.timing->median_ms = 1;
  EXPECT_TRUE(holds(error_of([&] { db.insert_measurement(run, key, lie); }),
                    "refuses an impossible measurement"));
  EXPECT_EQ(sql("SELECT count(*) FROM measurement"), "0");
}

/// The configuration is not to blame: an honest worker must measure it, and an equal run that ended
/// without it does not replace that measurement.
TEST_F(ForeignDatabase, ARunWithAnImpossibleAnswerStandsInForNoOther) {
  Measurement lied = timed(1, 2);
  lied.status = Status::crashed;
  lied.reason = impossible_answer("median_ms is 0");
  lied.timing.reset();
  const RunId spoilt = begin_run();
  db.insert_measurement(spoilt, key, lied);
  RunResult result;
  result.winner = db.insert_measurement(spoilt, key, timed(2, 2));
  db.finish_run(spoilt, result);
  EXPECT_FALSE(db.find_ended_run(key, "all"));
  EXPECT_EQ(best(), "BM=2,BK=8");
  ended_run(3, 4);
  EXPECT_TRUE(db.find_ended_run(key, "all"));
}

TEST_F(ForeignDatabase, ANulInAnyNameComesThroughExportImportAndMerge) {
  const std::string nul("a\0b", 3);
  kernel = {nul, nul, nul, {nul, "N"}, {nul, "BK"}};
  Toolchain toolchain = some_toolchain();
  toolchain.driver = nul;
  key.kernel = db.upsert_kernel(kernel);
  key.toolchain = db.upsert_toolchain(toolchain);
  key.problem = db.upsert_problem(nul, {{nul, 1}, {"N", 2}});
  Measurement measurement = timed(1, 2);
  measurement.config = {{nul, 7}, {"BK", 8}};
  measurement.label = measurement.reason = nul;
  RunInfo info;
  info.key = key;
  info.command_line = info.strategy = info.budget = info.space_signature = nul;
  const RunId run = db.begin_run(info);
  RunResult result;
  result.winner = db.insert_measurement(run, key, measurement);
  db.insert_metrics(*result.winner, {{nul, 1.0, nul, nul}});
  db.finish_run(run, result);
  db.refresh_views(kernel);
  std::string text;
  write_json_lines(db, [&](std::string_view line) { (text += line) += '\n'; });
  const fs::path imported = folder.path() / "imported.db";
  std::istringstream lines(text);
  read_json_lines(lines, "nul.jsonl", imported);
  const fs::path out = folder.path() / "out.db";
  merge_databases({imported, file}, out);
  Database back(out, OpenMode::read_only);
  const auto winners = back.winners(kernel);
  ASSERT_EQ(winners.size(), 1U);
  EXPECT_EQ(winners[0].config, measurement.config);
  EXPECT_EQ(back.load_best(winners[0]).best.measurement.reason, nul);
  SQLite::Database plain(out.string(), SQLite::OPEN_READONLY);
  EXPECT_EQ(plain.execAndGet("SELECT count(*) FROM best_a_b WHERE BK = 8").getInt(), 1);
  std::string again;
  write_json_lines(back, [&](std::string_view line) { (again += line) += '\n'; });
  EXPECT_EQ(again.size(), text.size());
}

/// Import and views are one transaction: readers see both or neither.
TEST_F(ForeignDatabase, AnImportThatFailsInItsViewsHasAddedNothing) {
  ended_run(32, 2);
  db.refresh_views(kernel);
  std::string text;
  write_json_lines(db, [&](std::string_view line) { (text += line) += '\n'; });
  const fs::path target = folder.path() / "target.db";
  {
    Database into(target, OpenMode::create);
    // A table has the name of the view.
    into.connection().exec("CREATE TABLE best_sgemm (x)");
  }
  std::istringstream lines(text);
  EXPECT_NE(error_of([&] { read_json_lines(lines, "rows", target); }), "no error");
  SQLite::Database read(target.string(), SQLite::OPEN_READONLY);
  EXPECT_EQ(read.execAndGet("SELECT count(*) FROM measurement").getInt(), 0);
  EXPECT_EQ(read.execAndGet("SELECT count(*) FROM kernel").getInt(), 0);
}

TEST_F(ForeignDatabase, DeepFactsAreRefusedWithTheirLine) {
  ended_run(32, 2);
  std::string text;
  write_json_lines(db, [&](std::string_view line) { (text += line) += '\n'; });
  const std::string facts = R"(\"warp_size\":32)";
  const std::size_t at = text.find(facts);
  ASSERT_NE(at, std::string::npos);
  text.insert(at + facts.size(),
              R"(,\"zz\":)" + std::string(200000, '[') + std::string(200000, ']'));
  std::istringstream lines(text);
  const fs::path target = folder.path() / "target.db";
  EXPECT_EQ(error_of([&] { read_json_lines(lines, "deep.jsonl", target); }),
            "1: deep.jsonl:3: JSON nested deeper than 64 levels; nothing was imported");
}

/// The file's views are for plain SQL, the connection's are for gtune. For possible measurements
/// they agree.
TEST_F(ForeignDatabase, TheViewsOfFileAndConnectionAgree) {
  const fs::path bundled = fs::path(GTUNE_SOURCE_DIR) / "db/shipped.db";
  Database read(bundled, OpenMode::immutable);
  for (const char* view : {"winner", "ended_run"}) {
    const std::string name = view;
    EXPECT_GT(read.connection().execAndGet("SELECT count(*) FROM temp." + name).getInt(), 10);
    for (const auto& [one, other] : {std::pair("main.", "temp."), std::pair("temp.", "main.")}) {
      EXPECT_EQ(read.connection()
                    .execAndGet("SELECT count(*) FROM (SELECT * FROM " + (one + name) +
                                " EXCEPT SELECT * FROM " + (other + name) + ")")
                    .getInt(),
                0);
    }
  }
}

}  // namespace
}  // namespace gtune::test
