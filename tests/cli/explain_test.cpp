// The statements of `gtune explain` about stored measurements.
#include <regex>

#include "explain/metric_reading.hpp"
#include "fixture.hpp"
#include "profile/familiar_metrics.hpp"
#include "spec/spec_reader.hpp"
#include "store/database.hpp"
#include "support/some_lines.hpp"
#include "tune/identity.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class Explain : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    tune_toy({"--strategy", "exhaustive"});
  }

  /// Stores metrics of the best, and of the baseline unless `plain` is empty.
  void store_metrics(const std::vector<Metric>& best, const std::vector<Metric>& plain) const {
    Database db(database, OpenMode::create);
    const KernelIdentity toy = identity_of(read_spec(data + "/toy.toml", {}));
    const MeasurementId winner = db.query_best(toy).at(0).best.id;
    db.insert_metrics(winner, best);
    if (!plain.empty()) db.insert_metrics(db.find_comparable_baseline(winner, "plain")->id, plain);
  }

  /// Stores source lines of the best and of the baseline.
  void store_lines(const StoredLines& best, const StoredLines& plain) const {
    Database db(database, OpenMode::create);
    const KernelIdentity toy = identity_of(read_spec(data + "/toy.toml", {}));
    const MeasurementId winner = db.query_best(toy).at(0).best.id;
    db.insert_line_profile(winner, best);
    db.insert_line_profile(db.find_comparable_baseline(winner, "plain")->id, plain);
  }

  [[nodiscard]] ProgramResult explain(std::vector<std::string> more) const {
    more.insert(more.begin(), {"explain", data + "/toy.toml"});
    return gtune(more);
  }

  [[nodiscard]] json explained(std::vector<std::string> more) const {
    more.emplace_back("--json");
    const ProgramResult result = explain(std::move(more));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false)["explanations"][0];
  }

  void expect_refused(const std::vector<std::string>& more, int exit_code,
                      const std::string& part) const {
    const ProgramResult result = explain(more);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    expect_one_clear_line(result);
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  }
};

/// A value of an explanation by its name.
json value_of(const json& explanation, const std::string& name) {
  for (const json& value : explanation["values"]) {
    if (value["name"] == name) return value;
  }
  return nullptr;
}

const std::vector<Metric> k_of_best = {{"dram_throughput", 91, "percent", ""},
                                       {"dram_read_bytes", 4.2e6, "byte", ""},
                                       {"l2_throughput", 40, "percent", ""},
                                       {"ipc", std::nullopt, "", "made up: NaN"}};
const std::vector<Metric> k_of_plain = {{"dram_throughput", 30, "percent", ""},
                                        {"dram_read_bytes", 50.4e6, "byte", ""}};

TEST_F(Explain, EffectsNameEveryMeasuredValue) {
  const ProgramResult result = gtune({"explain", data + "/toy.toml", "--effects", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json problems = json::parse(result.out).at("problems");
  ASSERT_EQ(problems.size(), 1U);
  for (const json& parameter : problems[0]["parameters"]) {
    EXPECT_EQ(parameter["values"][0]["cost"], 0.0) << parameter;
    EXPECT_GT(parameter["values"].size(), 1U) << parameter;
  }
  const ProgramResult text = gtune({"explain", data + "/toy.toml", "--effects"});
  EXPECT_NE(text.out.find("BLOCK"), std::string::npos) << text.out;
}

TEST_F(Explain, LinesShowTheKernelsOwnSource) {
  store_lines({some_lines(), ""}, {{}, "not on this device"});
  const ProgramResult result = explain({"--lines"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  // Line 5 of toy.cu, in the table and where the source is annotated.
  EXPECT_TRUE(std::regex_search(
      result.out, std::regex("60\\.0 % +toy\\.cu:5 +long_scoreboard 75 %, lg_throttle 17 % +LDG 83 "
                             "%.* if \\(at < n\\)")))
      << result.out;
  EXPECT_TRUE(std::regex_search(
      result.out, std::regex("60\\.0 % +5 +long_scoreboard +if \\(at < n\\) y\\[at\\]")))
      << result.out;
  EXPECT_NE(result.out.find("cuda_fp16.hpp:1234"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("/usr/local"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("waits for data from global"), std::string::npos) << result.out;
}

TEST_F(Explain, LinesAsJsonAndCsvHaveEveryStoredLine) {
  store_lines({some_lines(), ""}, {some_lines(), ""});
  const json best = explained({"--lines"});
  ASSERT_EQ(best["lines"].size(), 4U);
  EXPECT_EQ(best["samples"], 1000);
  EXPECT_EQ(best["period_cycles"], 1024);
  const json& first = best["lines"][0];
  EXPECT_EQ(first["file"], "toy.cu");
  EXPECT_EQ(first["line"], 5);
  EXPECT_EQ(first["share"], 0.6);
  EXPECT_EQ(first["stalls"]["long_scoreboard"], 450);
  EXPECT_EQ(first["opcodes"]["LDG"], 500);
  EXPECT_EQ(first["code"], "if (at < n) y[at] = 2.0f * x[at];");
  EXPECT_EQ(best["instructions"][0]["opcode"], "LDG.E");
  EXPECT_EQ(best["instructions"][0]["offset"], 0x140);

  const ProgramResult csv = explain({"--lines", "--csv", "--config", "plain"});
  ASSERT_EQ(csv.exit_code, 0) << csv.err;
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 5);
  EXPECT_NE(csv.out.find(",plain,toy.cu,5,"), std::string::npos) << csv.out;
}

TEST_F(Explain, WithoutStoredLinesOneLineSaysHowToGetThem) {
  expect_refused({"--lines"}, 5, "--profile lines samples them");
  store_lines({{}, "not on this device"}, {some_lines(), ""});
  expect_refused({"--lines"}, 5, "(not on this device)");
  expect_refused({"--lines", "--config", "none"}, 2, "none");
  expect_refused({"--lines", "--effects"}, 2, "--effects");
  expect_refused({"--lines", "--vs", "plain"}, 2, "--vs");
  expect_refused({"--csv"}, 2, "--lines");
}

TEST_F(Explain, ForecastsNeedTwoConfigurationsWithMetrics) {
  expect_refused({"--forecasts"}, 5, "no two configurations of");
  expect_refused({"--forecasts", "--vs", "plain"}, 2, "--forecasts");
  expect_refused({"--csv"}, 2, "--csv needs --lines or --forecasts");
}

TEST_F(Explain, HostileNamesInStoredLinesDoNothingToATerminal) {
  LineProfile lines = some_lines("\x1b[2J\nroot: #\u202e.cu");
  lines.lines[0].function = "\x1b]0;x\x07";
  lines.lines[0].stalls = {{"\x1b[31m", 600}};
  lines.lines[0].opcodes = {{"\x1b[31m", 600}};
  lines.lines[0].hottest[0].opcode = "\x1b[31m";
  store_lines({lines, ""}, {some_lines("../../../../../../../etc/passwd"), ""});
  const ProgramResult result = explain({"--lines"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos) << result.out;
  const ProgramResult passwd = explain({"--lines", "--config", "plain"});
  ASSERT_EQ(passwd.exit_code, 0) << passwd.err;
  EXPECT_EQ(passwd.out.find("root:"), std::string::npos) << "only the kernel's own files are read";
}

TEST_F(Explain, NothingStoredIsOneClearLine) {
  expect_refused({"--effects", "--n", "12345"}, 5, "gtune tune");
  expect_refused({"--effects", "--n", "12345"}, 5, "; tuned are n=1048576: run");
  expect_refused({"--device", "Other"}, 5, "'Other'");
  expect_refused({"--db", (folder / "none.db").string()}, 5, "none.db");
}

TEST_F(Explain, WithoutMetricsStaticFactsAndOneLine) {
  const ProgramResult result = explain({});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("BLOCK=256,UNROLL=4,VARIANT=1"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("registers"), std::string::npos);
  EXPECT_NE(result.out.find("no stored metrics of best (not in the recording): gtune tune"),
            std::string::npos);
  EXPECT_NE(result.out.find("toy.toml --n 1048576 --profile top"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("dram_throughput"), std::string::npos);
  EXPECT_TRUE(explained({})["findings"].empty());
}

TEST_F(Explain, BundledRecordingsHaveStaticFacts) {
  for (const auto& [kernel, limit] : {std::pair("sgemm", "FMA units"),
                                      {"transpose", "device memory"},
                                      {"copy", "device memory"}}) {
    ASSERT_EQ(gtune({kernel, "--device", "replay", "--budget", "5", "--quiet"}).exit_code, 0);
    const ProgramResult result = gtune({"explain", kernel, "--vs", "naive"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find(" (replayed from a recording)"), std::string::npos);
    EXPECT_NE(result.out.find(std::string("% of the limit of ") + limit), std::string::npos)
        << result.out;
    EXPECT_NE(result.out.find("theoretical_occupancy"), std::string::npos);
    EXPECT_TRUE(std::regex_search(result.out, std::regex("against +naive"))) << result.out;
    EXPECT_NE(gtune({"explain", kernel, "--effects"}).out.find("best of "), std::string::npos);
  }
}

TEST_F(Explain, OfSeveralSizesThoseThatHaveItAreExplained) {
  store_winner("One", 90, 1000, 64);  // no other BLOCK was measured there
  const ProgramResult both = explain({"--config", "BLOCK=256"});
  ASSERT_EQ(both.exit_code, 0) << both.err;
  EXPECT_NE(both.out.find("n=1048576"), std::string::npos) << both.out;
  EXPECT_EQ(both.out.find("n=1000 "), std::string::npos) << both.out;
  EXPECT_NE(both.err.find("note: --config BLOCK=256: not measured with the best of n=1000 on One"),
            std::string::npos)
      << both.err;
  expect_refused({"--config", "BLOCK=256", "--n", "1000"}, 5, "; it was for n=1048576");
  expect_refused({"--config", "BLOCK=1024,UNROLL=8"}, 5, "not measured");
}

TEST_F(Explain, MetricsAreComparedInPlainWords) {
  store_metrics(k_of_best, k_of_plain);
  const ProgramResult text = explain({"--vs", "plain"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("reads 12x less from device memory"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("not counted for best: ipc: made up: NaN"), std::string::npos);
  EXPECT_NE(text.out.find("1. bound by device memory, at 91 % of its peak"), std::string::npos);

  const json compared = explained({"--vs", "plain"});
  const json read = value_of(compared, "dram_read_bytes");
  EXPECT_EQ(read["unit"], "byte");
  EXPECT_EQ(read["kind"], "metric");
  EXPECT_NEAR(read["ratio"].get<double>(), 1.0 / 12, 1e-12);
  EXPECT_TRUE(value_of(compared, "l2_throughput")["versus"].is_null());
  EXPECT_EQ(value_of(compared, "time")["kind"], "static");
  EXPECT_NEAR(value_of(compared, "time")["versus"].get<double>(), 3.01, 0.05);
  ASSERT_EQ(compared["findings"].size(), 1U);
  EXPECT_EQ(compared["findings"][0]["rule"], "dram_bound");
  EXPECT_EQ(compared["subject"]["not_counted"]["ipc"], "made up: NaN");
}

TEST_F(Explain, AnotherConfigurationIsNamedByItsValues) {
  store_metrics(k_of_best, {});
  const json fastest = explained({"--config", "BLOCK=64", "--vs", "best"});
  EXPECT_EQ(fastest["subject"]["config"], json({{"BLOCK", 64}, {"UNROLL", 4}, {"VARIANT", 1}}));
  EXPECT_EQ(fastest["versus"]["name"], "best");
  EXPECT_TRUE(fastest["findings"].empty());  // the metrics belong to the best, not to it
  const json exact = explained({"--config", "BLOCK=64,UNROLL=1,VARIANT=2", "--vs", "BLOCK=128"});
  EXPECT_EQ(exact["subject"]["config"], json({{"BLOCK", 64}, {"UNROLL", 1}, {"VARIANT", 2}}));
  EXPECT_EQ(exact["versus"]["name"], "other");
  EXPECT_EQ(explained({"--config", "plain"})["subject"]["name"], "plain");
}

TEST_F(Explain, AWarmL2CacheIsExplainedWhereAskedAndNamed) {
  expect_refused({"--timing", "warm"}, 5, "with a warm L2 cache");
  store_with_warm_l2();
  EXPECT_EQ(explained({})["timing"], "cold");
  EXPECT_EQ(explain({}).out.find("warm L2"), std::string::npos);
  const json warm = explained({"--timing", "warm", "--vs", "BLOCK=256"});
  EXPECT_EQ(warm["timing"], "warm");
  EXPECT_EQ(warm["subject"]["config"]["BLOCK"], 64);
  // BLOCK=256 is slower than 64 with a warm cache, and faster with a flushed one.
  EXPECT_GT(warm["versus"]["median_ms"], warm["subject"]["median_ms"]);
  const std::string text = explain({"--timing", "warm"}).out;
  EXPECT_NE(text.find("warm L2 cache\n"), std::string::npos);
  EXPECT_NE(text.find(" --timing warm --profile top"), std::string::npos) << text;
  const ProgramResult effects = explain({"--timing", "warm", "--effects"});
  EXPECT_NE(effects.out.find("warm L2 cache\n"), std::string::npos) << effects.out;
  EXPECT_NE(effects.out.find("BLOCK=64"), std::string::npos) << effects.out;
}

TEST_F(Explain, WhatCannotBeNamedIsRefused) {
  expect_refused({"--vs", "plian"}, 2, "plain");
  expect_refused({"--config", "BLOK=64"}, 2, "BLOCK");
  expect_refused({"--config", "BLOCK=65"}, 2, "BLOCK takes");
  expect_refused({"--config", "BLOCK=1024,UNROLL=8"}, 5, "not measured");
  expect_refused({"--config", "BLOCK=32,UNROLL=2,VARIANT=0"}, 5, "too many resources");
  EXPECT_EQ(explain({"--effects", "--vs", "plain"}).exit_code, 2);
}

TEST_F(Explain, TheNearestSizeAnswersAndIsNamed) {
  const ProgramResult text = explain({"--n", "1000000"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(
      text.out.find("asked     n=1000000\n  source    your results (same device, expected time)\n"),
      std::string::npos)
      << text.out;
  const json nearest = explained({"--n", "1000000"});
  EXPECT_EQ(nearest["problem"]["n"], 1048576);
  EXPECT_EQ(nearest["asked"]["n"], 1000000);
}

TEST(ExplainWords, ThereAreSomeForEveryFamiliarMetric) {
  for (const FamiliarMetric& each : familiar_metrics()) {
    EXPECT_FALSE(reading_of(each.name, 2, 1).empty()) << each.name;
    EXPECT_NE(reading_of(each.name, 2, 1), reading_of(each.name, 1, 2)) << each.name;
  }
}

TEST(ExplainWords, SayHowMuch) {
  EXPECT_EQ(reading_of("dram_read_bytes", 1, 12), "reads 12x less from device memory");
  EXPECT_EQ(reading_of("dram_read_bytes", 3, 1), "reads 3.0x more from device memory");
  EXPECT_EQ(reading_of("ipc", 1.5, 1), "issues 50 % more instructions per cycle");
  EXPECT_EQ(reading_of("ipc", 1.01, 1), "the same");
  EXPECT_EQ(reading_of("time", 1.013, 1), "takes 1.3 % more time");
  EXPECT_EQ(reading_of("time", 1.001, 1), "the same");
  EXPECT_EQ(reading_of("bank_conflicts", 0, 5), "none here");
  EXPECT_EQ(reading_of("bank_conflicts", 5, 0), "none there");
  EXPECT_EQ(reading_of("lts__t_sectors.sum", 5, 1), "");
}

}  // namespace
}  // namespace gtune::test
