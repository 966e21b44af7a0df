#include <zlib.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "exchange/space_file.hpp"
#include "fixture.hpp"
#include "model/error.hpp"
#include "support/build_under_test.hpp"
#include "worker/recording.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Time of a made-up kernel in ms: best at X = 16, Y = 3, method b; absent (a failure) for large X
/// * Y.
std::optional<double> made_up_ms(int x, int y, const std::string& method) {
  if (x * y > 180) return std::nullopt;
  return 1 + 0.3 * std::abs(std::log2(x) - 4) + 0.1 * std::abs(y - 3) + (method == "b" ? 0 : 0.5);
}

template <typename Use>
void for_each_configuration(Use use) {
  for (const int x : {1, 2, 4, 8, 16, 32, 64}) {
    for (int y = 1; y <= 8; ++y) {
      for (const char* method : {"a", "b", "c"}) use(x, y, std::string(method));
    }
  }
}

constexpr int made_up_count = 7 * 8 * 3;

json kernel_tuner_cache() {
  json cache = json::object();
  for_each_configuration([&](int x, int y, const std::string& method) {
    const auto ms = made_up_ms(x, y, method);
    cache[std::to_string(x) + "," + std::to_string(y) + "," + method] = {
        {"X", x},
        {"Y", y},
        {"method", method},
        {"times", {1.0, 2.0}},
        {"compile_time", 200.0},
        {"benchmark_time", ms ? *ms * 10 : 0.0},
        {"time", ms ? json(*ms) : json("RuntimeFailedConfig")}};
  });
  return {{"kernel_name", "made_up"},
          {"tune_params_keys", {"X", "Y", "method"}},
          {"objective", "time"},
          {"cache", cache}};
}

json t4_results() {
  json results = json::array();
  for_each_configuration([&](int x, int y, const std::string& method) {
    const auto ms = made_up_ms(x, y, method);
    results.push_back(
        {{"configuration", {{"X", x}, {"Y", y}, {"method", method}}},
         {"times", {{"compilation", 200.0}, {"runtimes", {ms.value_or(0) * 10}}}},
         {"invalidity", ms ? "correct" : "runtime"},
         {"measurements",
          {{{"name", "time"}, {"value", ms ? json(*ms) : json("RuntimeFailedConfig")}}}},
         {"objectives", {"time"}}});
  });
  return {{"results", results}, {"schema_version", "1.0.0"}};
}

class BenchSearch : public CliTest {
 protected:
  fs::path write(const std::string& name, const std::string& text) const {
    const fs::path file = folder / name;
    std::ofstream(file) << text;
    return file;
  }
  fs::path cache() const { return write("cache.json", kernel_tuner_cache().dump()); }
  json scores(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "bench-search");
    arguments.emplace_back("--json");
    const ProgramResult result = gtune(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }
  void expect_refused(const fs::path& file, const std::string& why) const {
    const ProgramResult result = gtune({"bench-search", file.string(), "--seeds", "2"});
    EXPECT_EQ(result.exit_code, 1);
    expect_one_clear_line(result);
    EXPECT_NE(result.err.find(file.string()), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
  }
};

json without_cpu_times(json out) {
  for (json& space : out["spaces"]) {
    for (json& strategy : space["strategies"]) strategy.erase("cpu_ms_per_evaluation");
  }
  return out;
}

TEST_F(BenchSearch, EveryStrategyFindsTheBestOfASmallSpaceWithTheWholeBudget) {
  const json out = scores({cache().string(), "--seeds", "20"});
  const json& space = out["spaces"].at(0);
  EXPECT_EQ(space["configurations"], made_up_count);
  EXPECT_GT(space["failing"], 0);
  EXPECT_DOUBLE_EQ(space["optimum_ms"], 1.0);
  EXPECT_GE(space["strategies"].size(), 8U);
  for (const json& strategy : space["strategies"]) {
    const json& last = strategy["curve"].back();
    EXPECT_EQ(strategy["curve"].size(), static_cast<std::size_t>(made_up_count));
    EXPECT_EQ(last.at(0), 1.0) << strategy["strategy"];
    EXPECT_TRUE(strategy["methodology_score"].is_number()) << strategy["strategy"];
    for (const json& reached : strategy["reached"]) {
      EXPECT_LE(reached["half_of_runs"], reached["nine_tenths_of_runs"]);
      EXPECT_LE(reached["nine_tenths_of_runs"], made_up_count);
    }
  }
}

TEST_F(BenchSearch, DependsOnSeedsAloneAndNotOnThreads) {
  const std::string file = cache().string();
  const std::vector<std::string> few = {file, "--seeds",       "7", "--evaluations",
                                        "60", "--outstanding", "5"};
  const auto with_threads = [&](const char* threads) {
    std::vector<std::string> arguments = few;
    arguments.insert(arguments.end(), {"--threads", threads});
    return without_cpu_times(scores(arguments));
  };
  EXPECT_EQ(with_threads("1"), with_threads("3"));
}

TEST_F(BenchSearch, ReadsEveryFormAlike) {
  const auto figures = [&](const fs::path& file) {
    json out = without_cpu_times(scores({file.string(), "--seeds", "5", "--strategy", "genetic"}));
    json space = out["spaces"].at(0);
    space.erase("space");
    space["strategies"].at(0).erase("curve");
    return space;
  };
  const json expected = figures(cache());
  EXPECT_EQ(figures(write("t4.json", t4_results().dump())), expected);

  const fs::path packed = folder / "packed.json.gz";
  const std::string text = kernel_tuner_cache().dump();
  gzFile out = gzopen(packed.c_str(), "wb");
  ASSERT_EQ(gzwrite(out, text.data(), static_cast<unsigned>(text.size())),
            static_cast<int>(text.size()));
  gzclose(out);
  EXPECT_EQ(figures(packed), expected);

  // The file of a tuner that is still running. dump() sorts the keys: "cache" comes first.
  json rest = kernel_tuner_cache();
  const std::string entries = rest["cache"].dump();
  rest.erase("cache");
  std::string open = rest.dump();
  open.back() = ',';
  EXPECT_EQ(figures(write("open.json",
                          open + "\"cache\":" + entries.substr(0, entries.size() - 1) + ",\n")),
            expected);
}

TEST_F(BenchSearch, NotANumberIsAFailure) {
  json in = kernel_tuner_cache();
  std::string text = in.dump();
  const std::string failure = "\"RuntimeFailedConfig\"";
  text.replace(text.find(failure), failure.size(), "NaN");
  text.replace(text.find(failure), failure.size(), "Infinity");
  text.replace(text.find(failure), failure.size(), "1e20");
  const auto failing = [&](const fs::path& file) {
    return scores({file.string(), "--seeds", "1", "--strategy", "random"})["spaces"].at(
        0)["failing"];
  };
  EXPECT_EQ(failing(write("nan.json", text)), failing(cache()));
}

TEST_F(BenchSearch, ReadsRecordingsOfGtune) {
  const json out = scores({recording.string(), "--seeds", "3", "--strategy", "guided,random"});
  const json& space = out["spaces"].at(0);
  EXPECT_EQ(space["space"], "toy");
  EXPECT_GT(space["configurations"], 10);
  EXPECT_GT(space["failing"], 0);
  EXPECT_EQ(space["strategies"].size(), 2U);
}

TEST_F(BenchSearch, WithoutAFileItTakesWhatIsBundled) {
  const json out = scores({"--seeds", "1", "--evaluations", "5", "--strategy", "random"});
  EXPECT_GE(out["spaces"].size(), 3U);
}

TEST_F(BenchSearch, PrintsATableAndDrawsAPlot) {
  const fs::path plot = folder / "curves.svg";
  const ProgramResult result = gtune({"bench-search", cache().string(), recording.string(),
                                      "--seeds", "3", "--plot", plot.string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  for (const char* part : {"cache: 168 configurations", "guided", "differential-evolution",
                           "mean score over 2 spaces"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << '\n' << result.out;
  }
  std::ifstream in(plot);
  std::stringstream svg;
  svg << in.rdbuf();
  EXPECT_TRUE(svg.str().starts_with("<svg ")) << svg.str().substr(0, 80);
  EXPECT_TRUE(svg.str().ends_with("</svg>\n"));
  EXPECT_NE(svg.str().find("<polyline"), std::string::npos);
  EXPECT_EQ(svg.str().find("nan"), std::string::npos);
}

TEST_F(BenchSearch, RefusesBadFilesInOneLine) {
  expect_refused(folder / "missing.json", "No such file");
  expect_refused(folder, "is a folder");
  expect_refused(write("empty.json", ""), "is empty");
  expect_refused(write("words.json", "hello"), "not a recorded space");
  expect_refused(write("other.json", "{\"a\": 1}"), "neither");
  expect_refused(write("list.json", "[1, 2]"), "neither");
  expect_refused(write("lines.jsonl", "{}\n"), "not a line of a gtune recording");
  expect_refused(write("none.json", R"({"tune_params_keys": ["X"], "cache": {}})"),
                 "no configuration has a time");
  expect_refused(write("t4.json", R"({"results": []})"), "no results");
  json failing = kernel_tuner_cache();
  for (json& entry : failing["cache"]) entry["time"] = "CompilationFailedConfig";
  expect_refused(write("failing.json", failing.dump()), "no configuration has a time");
  json incomplete = kernel_tuner_cache();
  incomplete["cache"].begin()->erase("Y");
  expect_refused(write("incomplete.json", incomplete.dump()), "Y");
  expect_refused(
      write("cut.json.gz", std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b", 11)),
      "does not decompress");
}

TEST_F(BenchSearch, LooksAtAllInputsBeforeItScoresTheFirst) {
  const fs::path bad = write("bad.json", "{\"a\": 1}");
  const ProgramResult result =
      gtune({"bench-search", cache().string(), cache().string(), bad.string(), "--seeds", "1"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find("bad.json"), std::string::npos) << result.err;
}

TEST_F(BenchSearch, ReadsNoMoreThanItsBoundsHoweverSmallTheFileIs) {
  const fs::path file = folder / "bomb.json.gz";
  gzFile out = gzopen(file.c_str(), "wb9");
  const std::string zeros(1 << 20, ' ');
  for (int i = 0; i < 4; ++i) gzwrite(out, zeros.data(), static_cast<unsigned>(zeros.size()));
  gzclose(out);
  EXPECT_LT(fs::file_size(file), 10000U);
  try {
    (void)read_space_file(file, {1 << 20, 100, 64});
    ADD_FAILURE() << "it was read";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("JSON of more than 1048576 bytes when decompressed"),
              std::string::npos)
        << error.what();
  }
  const ProgramResult deep =
      gtune({"bench-search", write("deep.json", R"({"tune_params_keys":["a"],"cache":{"1":{"a":)" +
                                                    std::string(300000, '[') +
                                                    std::string(300000, ']') + R"(,"time":1}}})")
                                 .string()});
  EXPECT_EQ(deep.exit_code, 1);
  expect_one_clear_line(deep);
  EXPECT_NE(deep.err.find("nested deeper than 64 levels"), std::string::npos) << deep.err;
}

/// The interrupt must work within a run: there is only one, and nothing checks for it afterwards.
TEST_F(BenchSearch, AnInterruptEndsARunAtOnceInOneLine) {
  json cache = json::object();
  std::uint64_t noise = 1;  // so that no search finds the optimum soon
  for (int x = 1; x <= 200; ++x) {
    for (int y = 1; y <= 200; ++y) {
      noise = noise * 6364136223846793005U + 1442695040888963407U;
      cache[std::to_string(x) + "," + std::to_string(y)] = {
          {"X", x}, {"Y", y}, {"time", 1 + static_cast<double>(noise >> 32U) * 0x1p-32}};
    }
  }
  const fs::path file =
      write("large.json", json{{"tune_params_keys", {"X", "Y"}}, {"cache", cache}}.dump());
  // Without --foreground, timeout also signals its process group, and a second Ctrl-C kills.
  const ProgramResult result =
      run_program({"/usr/bin/env", "timeout", "--foreground", "--preserve-status", "-s", "INT", "3",
                   test::gtune_binary(), "bench-search", file.string(), "--strategy", "guided",
                   "--seeds", "1", "--evaluations", "40000", "--outstanding", "4096"});
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.out, "");
  expect_one_clear_line(result);
}

TEST_F(BenchSearch, ProfileGuidedGoesByTheMetricsOfARecording) {
  const auto score = [&](const char* strategy, bool noted) {
    const ProgramResult result = gtune(
        {"bench-search", recording.string(), "--seeds", "20", "--json", "--strategy", strategy});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err.find("has no metrics, which profile-guided needs") != std::string::npos,
              noted)
        << result.err;
    json found = json::parse(result.out)["spaces"].at(0)["strategies"].at(0);
    found.erase("strategy");
    found.erase("cpu_ms_per_evaluation");
    return found;
  };
  EXPECT_EQ(score("profile-guided", true), score("guided", false));
  Recording recorded = read_recording(recording);
  int bytes = 0;
  for (RecordedMeasurement& each : recorded.measurements) {
    each.metrics = {{"dram_throughput", 90.0, "percent", ""},
                    {"dram_bytes", 1e6 * (1 + ++bytes % 7), "byte", ""},
                    {"inst_executed", 1e5, "inst", ""},
                    {"bank_conflicts", 0.0, "", ""},
                    {"achieved_occupancy", 50.0, "percent", ""}};
  }
  write_recording(recorded, recording);
  EXPECT_NE(score("profile-guided", false), score("guided", false));
}

TEST_F(BenchSearch, RefusesBadOptions) {
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--strategy", "guessing"},
                                                {"--seeds", "0"},
                                                {"--evaluations", "many"},
                                                {"--outstanding", "0"},
                                                {"--outstanding", "4097"}}) {
    std::vector<std::string> arguments = {"bench-search", cache().string()};
    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
    const ProgramResult result = gtune(arguments);
    EXPECT_EQ(result.exit_code, 2) << wrong.front();
    expect_one_clear_line(result);
  }
}

}  // namespace
}  // namespace gtune::test
