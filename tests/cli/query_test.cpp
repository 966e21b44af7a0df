// Answers of `gtune query`, and how near they are to the question.
#include <algorithm>
#include <fstream>
#include <map>

#include "fixture.hpp"
#include "model/statistics.hpp"
#include "worker/recording.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class Query : public CliTest {
 protected:
  [[nodiscard]] json ask(const std::vector<std::string>& question) const {
    std::vector<std::string> arguments = {"query", data + "/toy.toml", "--json"};
    arguments.insert(arguments.end(), question.begin(), question.end());
    const ProgramResult result = gtune(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false)["best"];
  }

  [[nodiscard]] ProgramResult refused(std::vector<std::string> question, int exit_code) const {
    question.insert(question.begin(), {"query", data + "/toy.toml"});
    ProgramResult result = gtune(question);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    expect_one_clear_line(result);
    return result;
  }
};

TEST_F(Query, NamesTheTierThatAnswered) {
  store_winner("One", 90, 1000, 64);
  store_winner("One", 90, 4000, 128);
  store_winner("Two", 80, 1000, 256);
  const auto tier_and_block = [&](const std::vector<std::string>& question) {
    const json answers = ask(question);
    EXPECT_EQ(answers.size(), 1U);
    return answers[0]["tier"].get<std::string>() + ": " +
           std::to_string(answers[0]["config"]["BLOCK"].get<int>());
  };
  EXPECT_EQ(tier_and_block({"--n", "1000", "--device", "one"}), "this device and size: 64");
  const json between = ask({"--n", "2100", "--device", "One"});
  ASSERT_EQ(between.size(), 1U);
  EXPECT_EQ(between[0]["tier"], "this device, expected time");
  EXPECT_GT(between[0]["expected_ms"], 0);
  EXPECT_EQ(tier_and_block({"--n", "9", "--device", "Other", "--arch", "sm_80"}),
            "same architecture, expected time: 256");
  EXPECT_EQ(tier_and_block({"--n", "1000", "--arch", "sm_80"}),
            "same architecture, this size: 256");
  EXPECT_EQ(ask({"--n", "9000", "--arch", "sm_89"})[0]["tier"],
            "nearest architecture, expected time");
}

TEST_F(Query, OfTheVerySizeAnswersBeforeOneThatIsHardlyAnother) {
  store_winner("One", 90, 8000000, 64);
  store_winner("One", 90, 8000001, 128);
  for (const std::string by : {"--device", "--arch"}) {
    const std::string one = by == "--arch" ? "sm_90" : "One";
    EXPECT_EQ(ask({"--n", "8000000", by, one})[0]["config"]["BLOCK"], 64);
    EXPECT_EQ(ask({"--n", "8000001", by, one})[0]["config"]["BLOCK"], 128);
  }
}

TEST_F(Query, OfAnUnknownDeviceNamesTheKnownOnes) {
  store_winner("One", 90, 1000, 64);
  const ProgramResult result = refused({"--n", "1000", "--device", "Three"}, 5);
  EXPECT_NE(result.err.find("give --device 'One'"), std::string::npos) << result.err;
}

TEST_F(Query, AWinnerElsewhereIsTriedFirst) {
  store_winner("One", 90, 1000, 64);
  Recording made = read_recording(recording);
  made.device.name = "One";
  made.device.uuid = "GPU-One";
  made.problem = {{"n", 4000}};
  const auto file = folder / "second.jsonl";
  write_recording(made, file);
  const auto first_of = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        "tune",       data + "/toy.toml", "--n",      "4000", "--device", "replay:" + file.string(),
        "--strategy", "exhaustive",       "--budget", "1",    "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = gtune(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false)["best"]["config"];
  };
  EXPECT_EQ(first_of({}), json({{"BLOCK", 64}, {"UNROLL", 4}, {"VARIANT", 1}}));
  EXPECT_NE(first_of({"--fresh"}), json({{"BLOCK", 64}, {"UNROLL", 4}, {"VARIANT", 1}}));
}

TEST_F(Query, OfDevicesWithOneNameTheFastestAnswers) {
  store_winner("Same", 90, 1000, 64);
  store_winner("Same", 90, 1000, 256, "GPU-second");  // 256 is faster
  const json answers = ask({"--n", "1000", "--device", "same"});
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0]["config"]["BLOCK"], 256);
  EXPECT_EQ(answers[0]["asked"]["n"], 1000);
}

/// Every configuration takes 2 us, plus 1 us for each 1000 elements in whole blocks.
TEST_F(Query, SaysWhatItExpectsAndHowSurely) {
  const auto expected_us = [](std::int64_t n, const Config& config) {
    const std::int64_t block = *config.find("BLOCK") * *config.find("UNROLL");
    return 2 + 1e-3 * static_cast<double>((n + block - 1) / block * block);
  };
  for (const std::int64_t n : {3000, 20000, 100000, 400000, 1000000}) {
    Recording made = read_recording(recording);
    made.problem = {{"n", n}};
    for (RecordedMeasurement& each : made.measurements) {
      if (!each.measurement.timing || !each.measurement.config.find("UNROLL")) continue;
      const double ms = 1e-3 * expected_us(n, each.measurement.config);
      each.measurement.timing = summarise({ms, ms, ms});
    }
    const auto file = folder / "made.jsonl";
    write_recording(made, file);
    const ProgramResult tuned =
        gtune({"tune", data + "/toy.toml", "--n", std::to_string(n), "--device",
               "replay:" + file.string(), "--strategy", "exhaustive", "--quiet"});
    ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  }
  EXPECT_TRUE(ask({"--n", "20000"})[0]["expected_ms"].is_null());  // its best is known
  const json answer = ask({"--n", "150001"})[0];
  EXPECT_NEAR(answer["expected_ms"].get<double>(), 0.152, 0.008) << answer;
  EXPECT_LT(answer["expected_error"], 0.2) << answer;
  const std::string text = gtune({"query", data + "/toy.toml", "--n", "150001"}).out;
  EXPECT_NE(text.find("  expect    15"), std::string::npos) << text;
  EXPECT_NE(text.find("nine of ten measured times are within "), std::string::npos) << text;
}

TEST_F(Query, BundledResultsAnswerWhereThereAreNone) {
  store_winner("One", 90, 1000, 64);
  const auto data_folder = folder / "share";
  std::filesystem::create_directories(data_folder / "tuner_configs");
  std::filesystem::create_directories(data_folder / "db");
  ASSERT_EQ(
      gtune({"db", "merge", database.string(), "-o", (data_folder / "db" / "shipped.db").string()})
          .exit_code,
      0);
  std::filesystem::remove(database);
  const std::string variable = "GTUNE_DATA=" + data_folder.string();
  const auto tier = [&](const std::string& n, const std::string& device) {
    const ProgramResult result =
        gtune({"query", data + "/toy.toml", "--n", n, "--device", device, "--json"}, {variable});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false)["best"][0]["tier"].get<std::string>();
  };
  EXPECT_EQ(tier("1000", "One"), "shipped with gtune: this device and size");  // no database
  store_winner("Two", 80, 4000, 256);
  EXPECT_EQ(tier("2000", "One"), "shipped with gtune: this device, expected time");
  EXPECT_EQ(tier("4000", "Two"), "this device and size");
  store_winner("One", 90, 500, 128);
  // A replay of another size does not outrank the bundled result, which was measured.
  EXPECT_EQ(tier("1000", "One"), "shipped with gtune: this device and size");
  take_for_measured();
  EXPECT_EQ(tier("1000", "One"), "this device, expected time");  // the user's results come first
  EXPECT_NE(
      gtune({"query", data + "/toy.toml", "--n", "9", "--device", "Three"}, {variable}).exit_code,
      0);
}

TEST_F(Query, WithoutADeviceEveryDeviceAnswersAndExactOnesAlone) {
  store_winner("One", 90, 1000, 64);
  store_winner("Two", 80, 4000, 256);
  EXPECT_EQ(ask({"--n", "2000"}).size(), 2U);
  const json exact = ask({"--n", "4000"});
  ASSERT_EQ(exact.size(), 1U);
  EXPECT_EQ(exact[0]["device"], "Two");
  EXPECT_EQ(ask({"--n", "4000", "--all"}).size(), 2U);
}

TEST_F(Query, OneFieldForScripts) {
  store_winner("One", 90, 1000, 64);
  const ProgramResult one = gtune({"query", data + "/toy.toml", "--n", "3000", "--field", "BLOCK"});
  EXPECT_EQ(one.out, "64\n") << one.err;
  EXPECT_NE(refused({"--n", "3000", "--field", "BLOK"}, 2).err.find("BLOCK"), std::string::npos);
  store_winner("Two", 80, 1000, 256);
  EXPECT_NE(refused({"--n", "1000", "--field", "BLOCK"}, 2).err.find("--device"),
            std::string::npos);
}

TEST_F(Query, CsvHasAColumnForEachSizeAndParameter) {
  store_winner("One, the first", 90, 1000, 64);
  const ProgramResult result = gtune({"query", data + "/toy.toml", "--all", "--csv"});
  EXPECT_TRUE(result.out.starts_with(
      "tier,device,replayed,asked_n,n,BLOCK,UNROLL,VARIANT,median_ms,gflops,gbps,timing,"
      "checked,complete\r\n"
      "this device and size,\"One, the first\",1,1000,1000,64,4,1,"))
      << result.out;
  const ProgramResult two = gtune({"query", data + "/toy.toml", "--n", "900,1100", "--csv"});
  EXPECT_NE(two.out.find(",1,900,1000,64,"), std::string::npos) << two.out;
  EXPECT_NE(two.out.find(",1,1100,1000,64,"), std::string::npos) << two.out;
}

TEST_F(Query, TablesHaveTheBestOfEachPair) {
  tune_toy({"--strategy", "exhaustive"});
  const Recording all = read_recording(recording);
  std::map<std::pair<std::int64_t, std::int64_t>, double> best;
  for (const RecordedMeasurement& each : all.measurements) {
    if (!each.measurement.ok() || each.measurement.phase == Phase::baseline) continue;
    const Config& config = each.measurement.config;
    double& ms =
        best.try_emplace({*config.find("UNROLL"), *config.find("VARIANT")}, 1e9).first->second;
    ms = std::min(ms, each.measurement.timing->median_ms);
  }
  const std::vector<std::string> question = {"query", data + "/toy.toml", "--table",
                                             "UNROLL,VARIANT"};
  const auto with = [&](const std::string& option) {
    auto arguments = question;
    arguments.push_back(option);
    return gtune(arguments);
  };
  const json tables = json::parse(with("--json").out)["tables"];
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0]["rows"], "UNROLL");
  EXPECT_EQ(tables[0]["cells"].size(), best.size());
  for (const json& cell : tables[0]["cells"]) {
    const std::pair pair(cell["row"].get<std::int64_t>(), cell["column"].get<std::int64_t>());
    EXPECT_EQ(cell["config"]["UNROLL"], pair.first);
    EXPECT_EQ(cell["config"]["VARIANT"], pair.second);
    // The fastest of a search are measured again in its final.
    EXPECT_NEAR(cell["median_ms"].get<double>(), best.at(pair), 0.05 * best.at(pair));
  }
  const std::string csv = with("--csv").out;
  EXPECT_TRUE(
      csv.starts_with("device,replayed,n,BLOCK,UNROLL,VARIANT,median_ms,gflops,gbps,timing\r\n"))
      << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), static_cast<long>(best.size()) + 1);
  const std::string text = gtune(question).out;
  EXPECT_NE(text.find("for each UNROLL (down) and VARIANT (across)"), std::string::npos) << text;
}

TEST_F(Query, TablesOfAWarmL2CacheAreNeverMixedWithOthers) {
  store_with_warm_l2();
  const std::vector<std::string> table = {"query", data + "/toy.toml", "--table", "BLOCK,VARIANT"};
  const auto with = [&](const std::vector<std::string>& more) {
    auto arguments = table;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return gtune(arguments);
  };
  const std::string warm = with({"--json"}).out;
  EXPECT_EQ(json::parse(warm)["tables"][0]["timing"], "warm");
  EXPECT_NE(with({}).out.find("warm L2 cache\n"), std::string::npos);
  tune_toy({"--strategy", "exhaustive"});
  const std::string flushed = with({"--json"}).out;
  ASSERT_EQ(json::parse(flushed)["tables"].size(), 1U);
  EXPECT_EQ(json::parse(flushed)["tables"][0]["timing"], "cold");
  EXPECT_EQ(with({"--json", "--timing", "warm"}).out, warm);
  EXPECT_EQ(ask({"--n", "1048576"})[0]["config"]["BLOCK"], 256);
  EXPECT_EQ(ask({"--n", "1048576", "--timing", "warm"})[0]["config"]["BLOCK"], 64);
}

TEST_F(Query, WhereNothingIsStoredOfAWarmL2CacheItIsSaid) {
  store_winner("One", 90, 1000, 64);
  const std::string err = refused({"--n", "5", "--timing", "warm"}, 5).err;
  EXPECT_NE(err.find("with a warm L2 cache"), std::string::npos) << err;
  EXPECT_NE(err.find(" --timing warm"), std::string::npos) << err;
}

TEST_F(Query, TablesAreOfTwoParameters) {
  store_winner("One", 90, 1000, 64);
  EXPECT_NE(refused({"--table", "BLOCK,VARIENT"}, 2).err.find("VARIANT"), std::string::npos);
  EXPECT_NE(refused({"--table", "BLOCK,BLOCK"}, 2).err.find("two different"), std::string::npos);
  EXPECT_EQ(refused({"--table", "BLOCK,VARIANT", "--n", "5"}, 5).out, "");
}

TEST_F(Query, PlotsAreWrittenToAFileOrPrinted) {
  tune_toy({"--strategy", "exhaustive"});
  std::vector<std::string> plot = {"query", data + "/toy.toml", "--plot", "BLOCK,GB/s,UNROLL"};
  const ProgramResult printed = gtune(plot);
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_EQ(printed.err, "");
  EXPECT_TRUE(printed.out.starts_with("<svg ")) << printed.out.substr(0, 80);
  EXPECT_TRUE(printed.out.ends_with("</svg>\n"));
  EXPECT_NE(printed.out.find("toy: best GB/s by BLOCK and UNROLL"), std::string::npos);
  const std::string file = (folder / "plot.svg").string();
  plot.insert(plot.end(), {"-o", file});
  EXPECT_EQ(gtune(plot).out, "");
  std::ifstream in(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), printed.out);
}

TEST_F(Query, PlotsAreRefusedInOneLine) {
  store_winner("One", 90, 1000, 64);
  const auto err = [&](const std::string& axes, int exit_code) {
    return refused({"--plot", axes}, exit_code).err;
  };
  EXPECT_NE(err("BLOKC,time", 2).find("did you mean 'BLOCK'?"), std::string::npos);
  EXPECT_NE(err("BLOCK", 2).find("X,Y,GROUP"), std::string::npos);
  EXPECT_NE(err("BLOCK,tiem", 2).find("did you mean 'time'?"), std::string::npos);
  EXPECT_NE(err("BLOCK,dram_throughput", 5).find("--metrics dram_throughput"), std::string::npos);
  EXPECT_NE(refused({"--plot", "BLOCK,time", "--n", "5"}, 5).err.find("tuned are n=1000"),
            std::string::npos);
  (void)refused({"-o", "plot.svg"}, 2);
  (void)refused({"--plot", "BLOCK,time", "--json"}, 2);
  store_winner("One", 90, 4000, 64);
  EXPECT_NE(err("BLOCK,time", 2).find("give --n one value"), std::string::npos);
  store_winner("Two", 90, 4000, 64);
  EXPECT_NE(err("n,time", 2).find("give --device 'One' or 'Two'"), std::string::npos);
}

TEST_F(Query, NothingStoredSaysWhatToDo) {
  EXPECT_NE(refused({"--n", "5"}, 5).err.find("tune"), std::string::npos);
  store_winner("One", 90, 1000, 64);
  const std::string err = refused({"--n", "5", "--device", "Other"}, 5).err;
  EXPECT_NE(err.find("'Other'"), std::string::npos) << err;
  EXPECT_NE(err.find("--arch"), std::string::npos) << err;
  EXPECT_NE(refused({"--n", "5", "--arch", "hopper"}, 2).err.find("sm_90"), std::string::npos);
  EXPECT_NE(refused({"--arch", "sm_90"}, 2).err.find("sizes"), std::string::npos);
  EXPECT_NE(refused({"--field", ""}, 2).err.find("--field"), std::string::npos);
}

}  // namespace
}  // namespace gtune::test
