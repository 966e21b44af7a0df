// The bundled results, db/shipped.db: commands answer from them and leave the file unchanged.
#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "fixture.hpp"
#include "made_up.hpp"

namespace gtune::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::array bundled_kernels = {"sgemm", "transpose", "copy"};
const std::map<std::string, std::string> bundled_devices = {
    {"sgemm", "NVIDIA H200"}, {"transpose", "NVIDIA H100 80GB HBM3"}, {"copy", "NVIDIA H200"}};

/// Names and sizes of the files in a file's folder.
std::map<std::string, std::uintmax_t> files_beside(const fs::path& file) {
  std::map<std::string, std::uintmax_t> sizes;
  for (const auto& each : fs::directory_iterator(file.parent_path())) {
    sizes[each.path().filename()] = each.is_regular_file() ? each.file_size() : 0;
  }
  return sizes;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A user without a database.
class Bundled : public CliTest {
 protected:
  [[nodiscard]] ProgramResult ask(const std::vector<std::string>& arguments) const {
    return gtune(arguments, {"GTUNE_DATA=" + repository});
  }

  [[nodiscard]] json answer(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const ProgramResult result = ask(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }

  /// One line on standard error that names both files.
  void expect_a_note(const ProgramResult& result) const {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_TRUE(result.err.starts_with("note: " + database.string())) << result.err;
    EXPECT_NE(result.err.find("bundled results, from "), std::string::npos) << result.err;
    EXPECT_TRUE(result.err.ends_with("db/shipped.db\n")) << result.err;
  }
};

TEST_F(Bundled, TheVerySizeIsAnswered) {
  const json best = answer({"query", "sgemm", "--M", "4096"})["best"];
  ASSERT_EQ(best.size(), 1U);
  EXPECT_EQ(best[0]["tier"], "shipped with gtune: this device and size");
  EXPECT_EQ(best[0]["device"], bundled_devices.at("sgemm"));
  EXPECT_EQ(best[0]["replayed"], false);
  EXPECT_EQ(best[0]["problem"], best[0]["asked"]);
  EXPECT_EQ(best[0]["problem"]["K"], 4096);
  EXPECT_EQ(best[0]["timing"], "cold");
  EXPECT_EQ(best[0]["checked_on_awkward_sizes"], true);
  EXPECT_GT(best[0]["median_ms"], 0);
  EXPECT_EQ(best[0]["config"].size(), 13U);
}

TEST_F(Bundled, ASizeThatWasNotTunedHasAnExpectedTime) {
  const json best = answer({"query", "sgemm", "--M", "4001", "--K", "513"})["best"];
  ASSERT_EQ(best.size(), 1U);
  EXPECT_EQ(best[0]["tier"], "shipped with gtune: this device, expected time");
  EXPECT_EQ(best[0]["asked"]["M"], 4001);
  EXPECT_NE(best[0]["problem"], best[0]["asked"]);
  // 16.4 TFLOP take 0.31 ms at the speed of 4096 x 4096 x 4096.
  EXPECT_NEAR(best[0]["expected_ms"].get<double>(), 0.33, 0.05);
  EXPECT_GT(best[0]["expected_error"], 0.01);
  EXPECT_LT(best[0]["expected_error"], 0.3);
  const std::string text = ask({"query", "sgemm", "--M", "4001", "--K", "513"}).out;
  EXPECT_EQ(text.find("sgemm  M=4001,K=513  NVIDIA H200\n"), 0U) << text;
  EXPECT_NE(text.find("  source    bundled results (same device, expected time)\n"),
            std::string::npos)
      << text;
}

TEST_F(Bundled, EveryTunedProblemIsListed) {
  for (const auto& [kernel, problems] :
       {std::pair("sgemm", 1733U), {"transpose", 41U}, {"copy", 13U}}) {
    const json best = answer({"query", kernel, "--all"})["best"];
    EXPECT_EQ(best.size(), problems)
        << "made with another version of " << kernel << "? bench/shipped.sh makes db/shipped.db";
    for (const json& each : best) {
      EXPECT_EQ(each["tier"], "shipped with gtune: this device and size");
    }
    const ProgramResult text = ask({"query", kernel, "--all"});
    EXPECT_NE(text.out.find("  bundled results (same device and size)\n"), std::string::npos)
        << text.out;
    EXPECT_LT(std::ranges::count(text.out, '\n'), problems + 10) << "a row for each problem";
  }
}

TEST_F(Bundled, WhatNamesNoTierHasANote) {
  expect_a_note(ask({"query", "transpose", "--leave-one-out"}));
  expect_a_note(ask({"query", "copy", "--table", "WIDTH,UNROLL"}));
  expect_a_note(ask({"query", "copy", "--plot", "bytes,GB/s,mode"}));
  expect_a_note(ask({"query", "transpose", "--plot", "rows,time,element"}));
  expect_a_note(ask({"explain", "transpose", "--effects"}));
}

TEST_F(Bundled, IsWorthMoreThanARecordingOfAnotherSize) {
  ASSERT_EQ(
      ask({"sgemm", "--M", "4096", "--device", "replay", "--budget", "5", "--quiet"}).exit_code, 0);
  const auto tier = [&](const std::vector<std::string>& arguments, const char* all) {
    return answer(arguments)[all][0]["tier"].get<std::string>();
  };
  EXPECT_EQ(tier({"query", "sgemm", "--M", "512"}, "best"),
            "shipped with gtune: this device and size");
  EXPECT_EQ(tier({"explain", "sgemm", "--M", "512"}, "explanations"),
            "shipped with gtune: this device and size");
  EXPECT_EQ(tier({"query", "sgemm", "--M", "4096"}, "best"), "this device and size");
  EXPECT_EQ(tier({"explain", "sgemm", "--M", "4096"}, "explanations"), "this device and size");
}

TEST_F(Bundled, OneParameterHasANoteToo) {
  const ProgramResult result = ask({"query", "sgemm", "--M", "4096", "--field", "BM"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "note: this is from the bundled results (same device and size)\n");
}

TEST_F(Bundled, IsExplainedWithItsMetrics) {
  for (const auto& [kernel, size] : {std::pair("sgemm", std::pair("--M", "4096")),
                                     {"transpose", {"--rows", "8192"}},
                                     {"copy", {"--bytes", "1073741824"}}}) {
    const json all = answer({"explain", kernel, size.first, size.second, "--vs", "naive"});
    ASSERT_EQ(all["explanations"].size(), 1U) << kernel;
    const json& explained = all["explanations"][0];
    EXPECT_EQ(explained["tier"], "shipped with gtune: this device and size");
    std::map<std::string, json> values;
    for (const json& value : explained["values"]) values[value["name"]] = value;
    for (const char* metric : {"dram_throughput", "l2_throughput", "achieved_occupancy"}) {
      EXPECT_EQ(values[metric]["kind"], "metric") << kernel << ' ' << metric;
      EXPECT_GT(values[metric]["value"], 0) << kernel << ' ' << metric;
      EXPECT_GT(values[metric]["versus"], 0) << kernel << ' ' << metric;
    }
    EXPECT_GE(values["time"]["versus"], values["time"]["value"]) << kernel;
  }
  const ProgramResult text = ask({"explain", "sgemm", "--M", "4096"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("  source     bundled results (same device and size)\n"),
            std::string::npos)
      << text.out;
  EXPECT_EQ(text.out.find("no stored metrics"), std::string::npos) << text.out;
}

TEST_F(Bundled, IsExported) {
  for (const std::string kernel : bundled_kernels) {
    const ProgramResult header = ask({"export", kernel});
    expect_a_note(header);
    const std::string head = header.out.substr(0, 1000);
    EXPECT_NE(head.find("// from: the bundled results\n"), std::string::npos) << head;
    EXPECT_NE(head.find("// measured on: " + bundled_devices.at(kernel)), std::string::npos)
        << head;
  }
  for (const char* format : {"c-header", "dispatcher", "csv", "text", "missing"}) {
    expect_a_note(ask({"export", "copy", "--format", format}));
  }
  const ProgramResult report = ask({"export", "sgemm", "--format", "json", "--max-variants", "12"});
  expect_a_note(report);
  const json read = json::parse(report.out);
  EXPECT_EQ(read["problems"].size(), 1733U);
  const std::size_t tuned = read["variants"].size() - read["fallbacks"].size();
  EXPECT_EQ(read["instances"].size(), read["variants"].size());
  EXPECT_EQ(read["instances"][tuned - 1], 11);
  EXPECT_GT(tuned, 12U);  // each with all of its launches
}

/// The printed commands add to a copy of the bundled results: a new database alone would hide them.
TEST_F(Bundled, MissingPairsBeginWithACopy) {
  const std::string lines = ask({"export", "copy", "--format", "missing"}).out;
  const std::string first = lines.substr(0, lines.find('\n'));
  const auto bar = first.find(" | gtune ");
  ASSERT_TRUE(first.starts_with("gtune db export --db ") && bar != std::string::npos) << first;
  const auto words = [](const std::string& text) {
    std::istringstream in(text);
    return std::vector<std::string>(std::istream_iterator<std::string>(in), {});
  };
  auto written = words(first.substr(6, bar - 6));
  auto read = words(first.substr(bar + 9));
  const fs::path rows = folder / "rows.jsonl";
  written.insert(written.end(), {"-o", rows.string()});
  ASSERT_EQ(ask(written).exit_code, 0);
  ASSERT_EQ(read.back(), "/dev/stdin");
  read.back() = rows.string();
  ASSERT_EQ(ask(read).exit_code, 0);
  EXPECT_EQ(answer({"query", "copy"})["best"][0]["tier"], "this device and size");
  const auto sorted = [](const std::string& text) {
    std::multiset<std::string> all;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) all.insert(line);
    return all;
  };
  EXPECT_EQ(sorted(ask({"export", "copy", "--format", "missing"}).out),
            sorted(lines.substr(first.size() + 1)));
}

TEST_F(Bundled, OnesOwnResultsOfAnotherKernelDoNotHideIt) {
  store_winner("One", 90, 1000, 64);
  expect_a_note(ask({"export", "sgemm"}));
  expect_a_note(ask({"explain", "copy", "--effects"}));
  EXPECT_EQ(answer({"query", "sgemm", "--all"})["best"].size(), 1733U);
  EXPECT_EQ(answer({"explain", "sgemm", "--M", "4096"})["explanations"][0]["tier"],
            "shipped with gtune: this device and size");
  EXPECT_EQ(ask({"export", data + "/toy.toml"}).err, "");
}

TEST_F(Bundled, OnesOwnResultsOfTheKernelComeFirst) {
  ASSERT_EQ(ask({"sgemm", "--device", "replay", "--budget", "5", "--quiet"}).exit_code, 0);
  const ProgramResult exported = ask({"export", "sgemm", "--format", "csv"});
  EXPECT_EQ(exported.err, "");
  EXPECT_EQ(std::count(exported.out.begin(), exported.out.end(), '\n'), 2) << exported.out;
  EXPECT_EQ(answer({"query", "sgemm", "--all"})["best"].size(), 1U);
  EXPECT_EQ(answer({"explain", "sgemm"})["explanations"][0]["tier"], "this device and size");
}

TEST_F(Bundled, IsLeftAsItIs) {
  const fs::path file = repository + "/db/shipped.db";
  const auto files = files_beside(file);
  const std::string bytes = bytes_of(file);
  for (const std::string kernel : bundled_kernels) {
    EXPECT_EQ(ask({"query", kernel}).exit_code, 0);
    EXPECT_EQ(ask({"explain", kernel}).exit_code, 0);
    EXPECT_EQ(ask({"export", kernel}).exit_code, 0);
  }
  EXPECT_EQ(files_beside(file), files);
  EXPECT_TRUE(bytes_of(file) == bytes);
}

/// Bounds the loss if random tenths of the problems are left out and answered from the others.
TEST_F(Bundled, SizesLeftOutLoseLittle) {
  // A fit for each of 1733 problems takes a minute of two cores, and several of a sanitizer's.
  const ProgramResult asked =
      gtune({"query", "sgemm", "--leave-one-out", "--json"}, {"GTUNE_DATA=" + repository}, 900);
  ASSERT_EQ(asked.exit_code, 0) << asked.err;
  const json report = json::parse(asked.out);
  EXPECT_EQ(report["left_out"].size(), 1733U);
  const json& subsets = report["subsets"];
  EXPECT_EQ(subsets["count"], 100);
  EXPECT_EQ(subsets["measured"].get<int>() + subsets["not_measured"].get<int>(), 17300);
  EXPECT_LT(subsets["median_loss"], 0.03);
  EXPECT_LT(subsets["median_loss_at_most"], 0.03);
  EXPECT_LT(subsets["mean_loss"], 0.06);  // most sizes are random
  // Of all launches, slow ones included: 6.1 %.
  EXPECT_LT(report["expected_time_errors"]["median"], 0.065);
}

/// A data folder with bundled results made by the test.
class BundledFile : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    fs::create_directories(share / "tuner_configs");
    fs::create_directories(file.parent_path());
    store_winner("One", 90, 1000, 64);
    store_winner("One", 90, 4000, 128);
    ASSERT_EQ(gtune({"db", "merge", database.string(), "-o", file.string()}).exit_code, 0);
    take_for_measured();
    fs::rename(database, own);
  }

  [[nodiscard]] ProgramResult ask(const std::vector<std::string>& command) const {
    std::vector<std::string> arguments = {command[0], data + "/toy.toml"};
    arguments.insert(arguments.end(), command.begin() + 1, command.end());
    return gtune(arguments, {"GTUNE_DATA=" + share.string()});
  }

  void expect_refused(const std::string& part, int exit_code) const {
    for (const auto& command : commands) {
      const ProgramResult result = ask(command);
      EXPECT_EQ(result.exit_code, exit_code) << command[0] << ": " << result.err;
      expect_one_clear_line(result);
      EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    }
  }

  const std::vector<std::vector<std::string>> commands = {
      {"query", "--n", "1000"},     {"query", "--n", "9"},
      {"query", "--all"},           {"query", "--table", "BLOCK,UNROLL"},
      {"query", "--leave-one-out"}, {"export"},
      {"explain", "--n", "1000"},   {"explain"},
      {"explain", "--effects"}};
  fs::path share = folder / "share";
  fs::path file = share / "db" / "shipped.db";
  fs::path own = folder / "own.db";
};

TEST_F(BundledFile, AnswersEveryCommandAndIsLeftAlone) {
  // In WAL mode, like a user's database copied there.
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec("PRAGMA journal_mode = WAL");
  const auto files = files_beside(file);
  const std::string bytes = bytes_of(file);
  for (const auto& command : commands) EXPECT_EQ(ask(command).exit_code, 0) << command[0];
  EXPECT_EQ(files_beside(file), files);
  EXPECT_TRUE(bytes_of(file) == bytes);
  EXPECT_FALSE(fs::exists(database));
  std::ofstream(database).close();  // an empty file counts as no database
  EXPECT_EQ(ask({"export"}).exit_code, 0);
}

TEST_F(BundledFile, ThatIsBadIsOneClearLine) {
  const std::string whole = bytes_of(file);
  std::ofstream(file) << std::string(5000, 'x');
  expect_refused("share/db/shipped.db is not a database", 1);
  std::ofstream(file, std::ios::binary)
      << whole.substr(0, 4096) + std::string(whole.size() - 4096, 'x');
  expect_refused("share/db/shipped.db is damaged", 1);
  std::ofstream(file, std::ios::binary) << whole;
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  expect_refused("share/db/shipped.db was written by a newer gtune (schema 99", 1);
  // None of this matters to a user with a database.
  fs::rename(own, database);
  for (const auto& command : commands) EXPECT_EQ(ask(command).exit_code, 0) << command[0];
}

TEST_F(BundledFile, OnesOwnThatIsBadIsNotPassedOver) {
  std::ofstream(database) << std::string(5000, 'x');
  expect_refused("gtune.db is not a database", 1);
}

TEST_F(BundledFile, IsNoAnswerToAWarmL2Cache) {
  for (const char* command : {"query", "explain"}) {
    const ProgramResult result = ask({command, "--timing", "warm"});
    EXPECT_EQ(result.exit_code, 5);
    expect_one_clear_line(result);
    EXPECT_NE(result.err.find("no database at " + database.string()), std::string::npos)
        << result.err;
  }
}

}  // namespace
}  // namespace gtune::test
