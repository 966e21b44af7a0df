// gtune db as a user sees it.
#include <SQLiteCpp/SQLiteCpp.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>
#include <tuple>

#include "fixture.hpp"
#include "support/build_under_test.hpp"
#include "support/gzip_file.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

class Db : public CliTest {
 protected:
  [[nodiscard]] ProgramResult db(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "db");
    return gtune(arguments);
  }
  [[nodiscard]] std::string lines_of(const fs::path& file) const {
    return db({"export", "--db", file.string()}).out;
  }
  /// Imports everything again, as if measured with a source whose hash begins with 0000.
  void import_as_older_source() const {
    std::string text = lines_of(database);
    const std::size_t at = text.find("\"source_hash\":\"") + 15;
    text.replace(at, 4, "0000");
    std::ofstream(folder / "old.jsonl") << text;
    ASSERT_EQ(db({"import", (folder / "old.jsonl").string()}).exit_code, 0);
  }
  void expect_refused(const ProgramResult& result, int code) const {
    EXPECT_EQ(result.exit_code, code) << result.err;
    expect_one_clear_line(result);
  }
};

json t4_file() {
  const auto result = [](int a, const std::string& invalidity, const json& time) {
    json out = {{"timestamp", "2023-01-26 01:05:0" + std::to_string(a) + ".730633+00:00"},
                {"configuration", {{"a", a}, {"b_size", 64}}},
                {"times",
                 {{"compilation", 0.1 + a}, {"framework", 0.30000000000000004}, {"validation", 0}}},
                {"invalidity", invalidity},
                {"correctness", invalidity == "correct" ? 1 : 0},
                {"measurements",
                 json::array({{{"name", "time"}, {"value", time}, {"unit", "miliseconds"}}})},
                {"objectives", {"time"}}};
    if (invalidity == "correct") out["times"]["runtimes"] = {1.25 + a, 1.5, 7.300000190734863};
    return out;
  };
  return {{"metadata", {{"timeunit", "miliseconds"}}},
          {"schema_version", "1.0.0"},
          {"results",
           json::array({result(1, "correct", 3.1), result(2, "compile", "CompilationFailedConfig"),
                        result(3, "runtime", "RuntimeFailedConfig"), result(4, "correct", 2.2)})}};
}

TEST_F(Db, AnInterruptedImportLeavesNothingBehind) {
  (void)tune_toy();
  const std::string before = lines_of(database);
  std::ofstream(folder / "head") << before.substr(0, before.find('\n') + 1);
  // Endless configurations. Without --foreground, timeout also signals its process group, and a
  // second Ctrl-C kills.
  const std::string script =
      R"({ cat head; seq 1000000000 | sed 's/.*/{"table":"config","id":&,"kernel":"k",)"
      R"("params":"{\\"a\\":&}"}/'; } | )"
      R"(timeout --foreground --preserve-status -s INT 3 "$0" db import /dev/stdin --db "$1")";
  const ProgramResult result = run_program({"/usr/bin/env", "-C", folder.string(), "/bin/sh", "-c",
                                            script, test::gtune_binary(), database.string()});
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_EQ(result.err.rfind("gtune: interrupted", 0), 0U) << result.err;
  expect_one_clear_line(result);
  EXPECT_EQ(lines_of(database), before);
  for (const auto& entry : fs::directory_iterator(folder)) {
    EXPECT_EQ(entry.path().string().find(".gtune-draft"), std::string::npos) << entry.path();
  }
}

/// The database after a run with a worker that lied.
TEST_F(Db, WhatAWorkerCannotHaveMeasuredTheNextRunMeasuresAgain) {
  const std::vector<std::string> command = {"copy", "--device", "replay", "--budget",
                                            "12",   "--seed",   "1",      "--quiet"};
  const ProgramResult honest = gtune(command);
  ASSERT_EQ(honest.exit_code, 0) << honest.err;
  const std::string where = " FROM measurement WHERE config_id = 3 AND phase = 'search'";
  SQLite::Database sql(database.string(), SQLite::OPEN_READWRITE);
  sql.exec(
      "UPDATE measurement SET status = 'crashed', median_ms = NULL, samples_ms = NULL, "
      "reason = 'the worker''s answer cannot be: median_ms is 0' WHERE config_id = 3 AND phase = "
      "'search'");
  EXPECT_EQ(sql.execAndGet("SELECT count(*)" + where + " AND status = 'ok'").getInt(), 0);
  const ProgramResult again = gtune(command);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(sql.execAndGet("SELECT count(*)" + where + " AND status = 'ok'").getInt(), 1);
  EXPECT_EQ(sql.execAndGet("SELECT count(*) FROM measurement WHERE phase = 'search'").getInt(), 13);
  const std::string exported = lines_of(database);
  std::ofstream(folder / "own.jsonl") << exported;
  const fs::path own = folder / "own.db";
  EXPECT_EQ(db({"import", (folder / "own.jsonl").string(), "--db", own.string()}).exit_code, 0);
}

/// An older gtune stored whatever its workers reported.
TEST_F(Db, AStoredTimeThatCannotBeIsNoAnswer) {
  store_winner("One", 90, 1000, 64);
  SQLite::Database(database.string(), SQLite::OPEN_READWRITE)
      .exec("UPDATE measurement SET median_ms = -1, min_ms = -1 WHERE status = 'ok'");
  const ProgramResult query = gtune({"query", data + "/toy.toml", "--n", "1000"});
  EXPECT_EQ(query.exit_code, 5) << query.out << query.err;
  const ProgramResult merged =
      db({"merge", database.string(), "-o", (folder / "merged.db").string()});
  expect_refused(merged, 1);
  EXPECT_NE(merged.err.find("it cannot have been measured: median_ms"), std::string::npos)
      << merged.err;
}

TEST_F(Db, DeepT4ResultsAreRefusedInOneLine) {
  std::ofstream(folder / "deep.json") << std::string(300000, '[') << std::string(300000, ']');
  const ProgramResult result = db({"import", (folder / "deep.json").string(), "--format", "t4",
                                   "--kernel", "toy", "--device", "One"});
  expect_refused(result, 1);
  EXPECT_NE(result.err.find("nested deeper than 64 levels; nothing was imported"),
            std::string::npos)
      << result.err;
}

TEST_F(Db, TellsWhatItHolds) {
  store_winner("One", 90, 1000, 64);
  const ProgramResult text = db({"info"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("toy"), std::string::npos);
  const json info = json::parse(db({"info", "--json"}).out);
  EXPECT_EQ(info["schema"], 4);
  EXPECT_EQ(info["kernels"].size(), 1U);
  EXPECT_EQ(info["kernels"][0]["runs"], 1);
  EXPECT_EQ(info["kernels"][0]["interrupted"], 0);
  EXPECT_EQ(info["devices"][0]["name"], "One");
  EXPECT_EQ(info["devices"][0]["measurements"], info["kernels"][0]["measurements"]);
  expect_refused(db({"info", "--db", (folder / "none.db").string()}), 5);
}

TEST_F(Db, MergedAnswersLikeItsParts) {
  store_winner("One", 90, 1000, 64);
  const fs::path first = folder / "first.db";
  fs::rename(database, first);
  store_winner("One", 90, 4000, 128);
  store_winner("Two", 80, 1000, 256);
  const fs::path merged = folder / "merged.db";
  const ProgramResult result =
      db({"merge", first.string(), database.string(), "-o", merged.string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const auto& [n, device, block] :
       {std::tuple("1000", "One", "64\n"), std::tuple("4000", "One", "128\n"),
        std::tuple("1000", "Two", "256\n")}) {
    EXPECT_EQ(gtune({"query", data + "/toy.toml", "--n", n, "--device", device, "--field", "BLOCK",
                     "--db", merged.string()})
                  .out,
              block);
  }
  expect_refused(db({"merge", first.string(), "-o", merged.string()}), 1);
  expect_refused(db({"merge", first.string(), "-o", "/proc/no.db"}), 1);
  const std::string text = lines_of(merged);
  std::ofstream(folder / "all.jsonl") << text;
  const fs::path again = folder / "again.db";
  ASSERT_EQ(db({"import", (folder / "all.jsonl").string(), "--db", again.string()}).exit_code, 0);
  EXPECT_EQ(lines_of(again), text);
}

TEST_F(Db, TakesAndGivesT4Results) {
  const json file = t4_file();
  std::ofstream(folder / "t4.json") << file.dump();
  const std::vector<std::string> subject = {"--format",      "t4",       "--kernel",
                                            "it's */ \"k\"", "--device", "RTX \"3090\"",
                                            "--problem",     "n=7,m=1"};
  const auto with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), subject.begin(), subject.end());
    return db(arguments);
  };
  for (int i = 0; i < 2; ++i) {  // the second import adds nothing
    const ProgramResult result = with({"import", (folder / "t4.json").string()});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(json::parse(with({"export"}).out), file);
  }
  const auto refused = [&](const json& changed) {
    std::ofstream(folder / "bad.json") << changed.dump();
    const std::string before = lines_of(database);
    const ProgramResult result = with({"import", (folder / "bad.json").string()});
    expect_refused(result, 1);
    EXPECT_EQ(lines_of(database), before);
    return result.err;
  };
  json bad = file;
  bad["results"][1]["energy"] = 3;
  EXPECT_NE(refused(bad).find("result 2: 'energy' has no place"), std::string::npos);
  bad = file;
  bad["results"][2]["configuration"]["a"] = "a;b";
  EXPECT_NE(refused(bad).find("result 3: parameter a"), std::string::npos);
  bad = file;
  bad["results"][0]["timestamp"] = "yesterday";
  EXPECT_NE(refused(bad).find("result 1: timestamp"), std::string::npos);
  bad = file;
  bad["results"][0]["correctness"] = 0.5;
  EXPECT_NE(refused(bad).find("would come back as 1 instead of 0.5"), std::string::npos);
  bad = file;
  bad["schema_version"] = "2.0.0";
  refused(bad);
  expect_refused(db({"import", (folder / "t4.json").string(), "--format", "t4"}), 2);
  expect_refused(db({"export", "--format", "t4", "--kernel", "none", "--device", "none"}), 5);
}

TEST_F(Db, OfT4ResultsWhatIsMissingIsNamed) {
  store_winner("One", 90, 1000, 64);
  const auto refused = [&](std::vector<std::string> arguments, int code, const std::string& part) {
    arguments.insert(arguments.begin(), {"export", "--format", "t4"});
    const ProgramResult result = db(arguments);
    expect_refused(result, code);
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  };
  refused({}, 2, "--problem M=4096,N=4096");
  refused({"--kernel", "toy", "--device", "One"}, 5, "without sizes");
  refused({"--kernel", "toy", "--device", "One"}, 5, "; it is there for --problem n=1000");
  refused({"--kernel", "toy", "--device", "Two", "--problem", "n=1000"}, 5, "--device 'One'");
  refused({"--kernel", "toy", "--device", "One", "--problem", "1000"}, 2, "M=4096");
  std::ofstream(folder / "bad.json") << "{\n\"results\": [,]}\n";
  const ProgramResult bad = db({"import", "--format", "t4", "--kernel", "toy", "--device", "One",
                                (folder / "bad.json").string()});
  expect_refused(bad, 1);
  EXPECT_NE(bad.err.find("bad.json:2: not valid JSON at ',]}'"), std::string::npos) << bad.err;
}

TEST_F(Db, AFileOfAnotherKindIsRefusedWithWhatToDo) {
  store_winner("One", 90, 1000, 64);
  const auto refused = [&](const std::string& text, bool as_t4, const std::string& part) {
    std::ofstream(folder / "file") << text;
    std::vector<std::string> command = {"import", (folder / "file").string()};
    if (as_t4) {
      command.insert(command.end(), {"--format", "t4", "--kernel", "toy", "--device", "One"});
    }
    const ProgramResult result = db(command);
    expect_refused(result, 1);
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  };
  refused(t4_file().dump(), false, "file:1: this is not an output of gtune db export; import T4");
  refused(t4_file().dump(2), false, "import T4 results with --format t4; nothing was imported");
  refused(lines_of(database), true, "import it without --format t4");
  refused("SQLite format 3", true, "gtune db merge");
  refused("", true, "the file is empty");
  refused(R"({"cache":{},"tune_params_keys":[]})", true, "a cache file of Kernel Tuner, not T4");
  refused(t4_file().dump(2).substr(0, 500), true, "not valid JSON: it ends too early");
  refused(R"({"results":[NaN]})", true, "file:1: not valid JSON at 'NaN]}'");
  json bad = t4_file();
  bad["results"][1]["timestamp"] = 3;
  refused(bad.dump(), true, "result 2: 'timestamp': type must be string, but is number");
  bad["results"][1] = 3;
  refused(bad.dump(), true, "result 2: it is not an object");
}

TEST_F(Db, T4ResultsAreOfOneVersionOfAKernel) {
  store_winner("One", 90, 1000, 64);
  const std::vector<std::string> command = {"export",   "--format", "t4",        "--kernel", "toy",
                                            "--device", "One",      "--problem", "n=1000"};
  const json of_one = json::parse(db(command).out);
  ASSERT_NO_FATAL_FAILURE(import_as_older_source());
  store_winner("One", 90, 2000, 64);  // the present source is the one used last
  const ProgramResult of_two = db(command);
  EXPECT_EQ(json::parse(of_two.out), of_one);
  EXPECT_NE(of_two.err.find("note: " + std::to_string(of_one["results"].size()) +
                            " results of other versions of toy"),
            std::string::npos)
      << of_two.err;
}

TEST_F(Db, ImportsIntoAnEmptyFileButNotADatabase) {
  store_winner("One", 90, 1000, 64);
  const std::string text = lines_of(database);
  std::ofstream(folder / "all.jsonl") << text;
  const fs::path empty = folder / "empty.db";
  std::ofstream(empty).flush();
  const ProgramResult result =
      db({"import", (folder / "all.jsonl").string(), "--db", empty.string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string imported = lines_of(empty);
  EXPECT_EQ(std::count(imported.begin(), imported.end(), '\n'),
            std::count(text.begin(), text.end(), '\n'));
  write_gzipped(folder / "all.jsonl.gz", text);
  const fs::path another = folder / "another.db";
  const ProgramResult packed =
      db({"import", (folder / "all.jsonl.gz").string(), "--db", another.string()});
  EXPECT_EQ(packed.exit_code, 0) << packed.err;
  EXPECT_EQ(lines_of(another), imported);
  const ProgramResult no_text = db({"import", database.string(), "--db", empty.string()});
  expect_refused(no_text, 1);
  EXPECT_NE(no_text.err.find("is a database: add its results with gtune db merge"),
            std::string::npos);
}

TEST_F(Db, ImportsAllOrNothing) {
  store_winner("One", 90, 1000, 64);
  const std::string before = lines_of(database);
  std::ofstream(folder / "cut.jsonl") << before.substr(0, before.size() - 20);
  const ProgramResult cut = db({"import", (folder / "cut.jsonl").string()});
  expect_refused(cut, 1);
  EXPECT_NE(cut.err.find(": not valid JSON: it ends too early; nothing was imported"),
            std::string::npos)
      << cut.err;
  EXPECT_EQ(lines_of(database), before);
  std::string changed = before;
  changed.replace(changed.find("\"sm_count\""), 10, "\"sm_counts\"");
  std::ofstream(folder / "changed.jsonl") << changed;
  const ProgramResult unknown = db({"import", (folder / "changed.jsonl").string()});
  expect_refused(unknown, 1);
  EXPECT_NE(unknown.err.find("changed.jsonl:3: key 'sm_count' not found"), std::string::npos)
      << unknown.err;
  const fs::path none = folder / "none.db";
  expect_refused(db({"import", (folder / "cut.jsonl").string(), "--db", none.string()}), 1);
  EXPECT_FALSE(fs::exists(none));
  expect_refused(db({"import", (folder / "no such file").string()}), 1);
  write_gzipped(folder / "a.gz", before);
  fs::resize_file(folder / "a.gz", fs::file_size(folder / "a.gz") - 9);
  const ProgramResult packed = db({"import", (folder / "a.gz").string()});
  expect_refused(packed, 1);
  EXPECT_NE(packed.err.find("a.gz: damaged: it does not decompress to its end"), std::string::npos)
      << packed.err;
  expect_refused(db({"export", "-o", (folder / "no" / "x.jsonl").string()}), 1);
  std::ofstream(folder / "junk.db") << std::string(2000, 'x');
  for (const char* command : {"info", "export", "prune"}) {
    expect_refused(db({command, "--db", (folder / "junk.db").string()}), 1);
  }
  expect_refused(db({"frobnicate"}), 2);
  expect_refused(db({}), 2);
}

TEST_F(Db, WhatCannotHaveBeenMeasuredIsNotImported) {
  store_winner("One", 90, 1000, 64);
  const std::string text = lines_of(database);
  const fs::path none = folder / "none.db";
  const auto with = [&](const std::string& pattern, const std::string& value) {
    const std::string changed = std::regex_replace(text, std::regex(pattern), value,
                                                   std::regex_constants::format_first_only);
    EXPECT_NE(changed, text) << pattern;
    std::ofstream(folder / "changed.jsonl") << changed;
    const ProgramResult result =
        db({"import", (folder / "changed.jsonl").string(), "--db", none.string()});
    expect_refused(result, 1);
    EXPECT_FALSE(fs::exists(none));
    return result.err;
  };
  for (const char* bad : {"-5.0", "0", "\"inf\"", "\"nan\""}) {
    EXPECT_NE(with(R"("median_ms":[0-9.e-]+)", std::string("\"median_ms\":") + bad)
                  .find("median_ms is no time above 0"),
              std::string::npos);
  }
  EXPECT_NE(with(R"("name":"One")", R"("name":"Two")").find("facts are of another"),
            std::string::npos);
}

/// Device names become part of the commands of --format missing, which a shell runs.
TEST_F(Db, ADevicesNameIsOneLine) {
  store_winner("One", 90, 1000, 64);
  const std::string text = lines_of(database);
  std::string hostile =
      std::regex_replace(text, std::regex(R"("name":"One")"), R"("name":"One\ntouch it")");
  hostile = std::regex_replace(hostile, std::regex(R"(\\"name\\":\\"One\\")"),
                               R"(\"name\":\"One\\ntouch it\")");
  std::ofstream(folder / "hostile.jsonl") << hostile;
  const ProgramResult result = db({"import", (folder / "hostile.jsonl").string()});
  expect_refused(result, 1);
  EXPECT_NE(result.err.find("control characters"), std::string::npos) << result.err;
  // A name that entered the database in another way.
  SQLite::Database(database.string(), SQLite::OPEN_READWRITE)
      .exec("UPDATE device SET facts = json_set(facts, '$.name', 'One' || char(10) || 'touch it')");
  const ProgramResult query = gtune({"query", data + "/toy.toml", "--n", "1000"});
  EXPECT_NE(query.out.find("One touch it"), std::string::npos) << query.out;
}

/// Lookups work whatever the spacing of the imported JSON.
TEST_F(Db, SizesAreImportedInTheFormTheyAreLookedUpIn) {
  store_winner("One", 90, 1000, 64);
  std::string text = lines_of(database);
  text = std::regex_replace(text, std::regex(R"(\{\\"n\\":1000\})"), R"({ \"n\" : 1000 })");
  text = std::regex_replace(text, std::regex(R"(\{\\"BLOCK\\":)"), R"({  \"BLOCK\": )");
  ASSERT_NE(text, lines_of(database));
  std::ofstream(folder / "spaces.jsonl") << text;
  fs::remove(database);
  ASSERT_EQ(db({"import", (folder / "spaces.jsonl").string()}).exit_code, 0);
  const ProgramResult query = gtune({"query", data + "/toy.toml", "--n", "1000", "--json"});
  EXPECT_EQ(json::parse(query.out)["best"][0]["tier"], "this device and size") << query.err;
  const ProgramResult table =
      gtune({"query", data + "/toy.toml", "--n", "1000", "--table", "BLOCK,UNROLL"});
  EXPECT_EQ(table.exit_code, 0) << table.err;
}

TEST_F(Db, HostileNamesInAnImportedFileAreOnlyNames) {
  store_winner("One", 90, 1000, 64);
  std::string text = lines_of(database);
  // Escaped for JSON within JSON Lines.
  const std::string hostile = R"(\"; DROP TABLE run; -- */ it's\n?)";
  for (const std::string& from :
       {std::string("\"kernel\":\"toy\""), std::string("\"name\":\"toy\"")}) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; ++at) {
      text.replace(text.find("toy", at), 3, hostile);
    }
  }
  ASSERT_NE(text.find(hostile), std::string::npos);
  std::ofstream(folder / "hostile.jsonl") << text;
  ASSERT_EQ(db({"import", (folder / "hostile.jsonl").string()}).exit_code, 0);
  const ProgramResult info = db({"info"});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_EQ(json::parse(db({"info", "--json"}).out)["kernels"].size(), 2U);
  EXPECT_EQ(gtune({"query", data + "/toy.toml", "--n", "1000", "--field", "BLOCK"}).out, "64\n");
}

TEST_F(Db, OfTheDocsAnswerEveryExample) {
  const ProgramResult tuned = gtune({"sgemm", "--device", "replay", "--budget", "40", "--quiet"});
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  std::ifstream docs(std::string(GTUNE_SOURCE_DIR) + "/docs/database.md");
  SQLite::Database read(database.string(), SQLite::OPEN_READONLY);
  const std::string begin = "    sqlite3 gtune.db \"";
  int examples = 0;
  for (std::string line; std::getline(docs, line);) {
    if (!line.starts_with(begin)) continue;
    std::string sql = line.substr(begin.size(), line.size() - begin.size() - 1);
    for (std::size_t at = 0; (at = sql.find("\\\"", at)) != std::string::npos;) sql.erase(at, 1);
    SQLite::Statement statement(read, sql);
    EXPECT_TRUE(statement.executeStep()) << sql;
    ++examples;
  }
  EXPECT_EQ(examples, 7);
}

TEST_F(Db, PrunesOldSourcesAlone) {
  store_winner("One", 90, 1000, 64);
  ASSERT_NO_FATAL_FAILURE(import_as_older_source());
  store_winner("One", 90, 2000, 64);  // the present source is the one used last
  EXPECT_NE(db({"prune", "--dry-run"}).out.find("would remove 1 older kernel version,"),
            std::string::npos);
  EXPECT_EQ(json::parse(db({"info", "--json"}).out)["kernels"].size(), 2U);
  const auto rows = [&](const std::string& table) {
    SQLite::Database stored(database.string());
    return stored.execAndGet("SELECT COUNT(*) FROM " + table).getInt();
  };
  SQLite::Database(database.string(), SQLite::OPEN_READWRITE)
      .exec("INSERT INTO line_profile SELECT id, NULL, 'busy', '' FROM measurement");
  const int with_lines = rows("line_profile");
  EXPECT_NE(db({"prune"}).out.find("removed 1 older kernel version,"), std::string::npos);
  EXPECT_LT(rows("line_profile"), with_lines);
  EXPECT_EQ(rows("line_profile"), rows("measurement"));
  EXPECT_EQ(json::parse(db({"info", "--json"}).out)["kernels"].size(), 1U);
  EXPECT_EQ(gtune({"query", data + "/toy.toml", "--n", "1000", "--field", "BLOCK"}).out, "64\n");
  const ProgramResult typo = db({"prune", "--kernel", "tony"});
  expect_refused(typo, 2);
  EXPECT_NE(typo.err.find("did you mean 'toy'"), std::string::npos) << typo.err;
  EXPECT_EQ(db({"prune", "--kernel", "toy"}).exit_code, 0);
  const fs::path none = folder / "none.db";
  expect_refused(db({"prune", "--db", none.string()}), 5);
  EXPECT_FALSE(fs::exists(none));
}

TEST_F(Db, WhatCameAsT4NeitherHidesNorIsTakenForAnOlderSource) {
  store_winner("One", 90, 1000, 64);
  json file = t4_file();
  for (json& result : file["results"]) result["timestamp"] = "2999-01-01 00:00:00.000000+00:00";
  std::ofstream(folder / "t4.json") << file.dump();
  const ProgramResult imported = db({"import", (folder / "t4.json").string(), "--format", "t4",
                                     "--kernel", "toy", "--device", "One", "--problem", "n=1000"});
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_NE(db({"prune"}).out.find("removed 0 older kernel versions"), std::string::npos);
  EXPECT_EQ(json::parse(db({"info", "--json"}).out)["kernels"].size(), 2U);
  EXPECT_EQ(gtune({"query", data + "/toy.toml", "--n", "1000", "--field", "BLOCK"}).out, "64\n");
}

TEST_F(Db, WhatIsBeingMeasuredIsNotPruned) {
  store_winner("One", 90, 1000, 64);
  ASSERT_NO_FATAL_FAILURE(import_as_older_source());
  store_winner("One", 90, 2000, 64);
  const SQLite::Database direct(database, SQLite::OPEN_READWRITE);
  const std::string of_the_old =
      " WHERE kernel_id = (SELECT id FROM kernel WHERE source_hash LIKE '0000%')";
  SQLite::Statement(
      direct, "UPDATE run SET finished = NULL, pid = " + std::to_string(getpid()) + of_the_old)
      .exec();
  EXPECT_NE(db({"prune"}).out.find("removed 0 older kernel versions"), std::string::npos);
  SQLite::Statement(direct, "UPDATE run SET pid = 0" + of_the_old).exec();
  EXPECT_NE(db({"prune"}).out.find("removed 1 older kernel version,"), std::string::npos);
}

TEST_F(Db, SizesOfABundledKernelThatAreNotGivenTakeTheirDefaults) {
  ASSERT_EQ(gtune({"copy", "--device", "replay", "--budget", "3", "--quiet"}).exit_code, 0);
  const auto exported = [&](const std::string& problem) {
    const ProgramResult result = db({"export", "--format", "t4", "--kernel", "copy", "--device",
                                     "NVIDIA H200", "--problem", problem});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const std::string whole = "bytes=1073741824,mode=0,stride=1,in_offset=0,out_offset=0";
  EXPECT_EQ(exported("bytes=1073741824"), exported(whole));
}

TEST_F(Db, APartIsOnlyTakenAsT4Results) {
  store_winner("One", 90, 1000, 64);
  expect_refused(db({"export", "--kernel", "toy"}), 2);
  expect_refused(db({"import", "--device", "One", (folder / "none.jsonl").string()}), 2);
}

}  // namespace
}  // namespace gtune::test
