// Many problems in one command: --shapes, --shard, shares of the budget, resuming.
#include <SQLiteCpp/SQLiteCpp.h>

#include <csignal>
#include <fstream>
#include <limits>
#include <sstream>

#include "fixture.hpp"
#include "support/build_under_test.hpp"
#include "tune/budget_shares.hpp"
#include "worker/recording.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

class Sweep : public CliTest {
 protected:
  Sweep() {
    fs::create_directory(recordings);
    for (const std::int64_t n : {1000, 2000, 3000, 4000, 5000}) {
      Recording made = read_recording(recording);
      made.problem = {{"n", n}};
      std::erase_if(made.measurements, [&](const RecordedMeasurement& each) {
        const auto unroll = each.measurement.config.find("UNROLL");
        return unroll && *unroll == (n / 1000) % 4;  // spaces differ between problems
      });
      write_recording(made, recordings / (std::to_string(n) + ".jsonl"));
    }
    std::ofstream(shapes) << "n  # elements\n\n1000\n3000\n# 9999\n2000\n5000\n1000\n";
  }

  [[nodiscard]] ProgramResult sweep(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"tune", data + "/toy.toml", "--device",
                                          "replay:" + recordings.string(), "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return gtune(arguments);
  }

  /// The toy, with blocks that are not larger than the problem.
  [[nodiscard]] fs::path small_blocks() const {
    std::ifstream toy(data + "/toy.toml");
    std::string text((std::istreambuf_iterator<char>(toy)), {});
    const std::string constraints = "[constraints]\n";
    text.insert(text.find(constraints) + constraints.size(), "fits = \"BLOCK * UNROLL <= n\"\n");
    fs::copy_file(data + "/toy.cu", folder / "toy.cu", fs::copy_options::skip_existing);
    std::ofstream(folder / "toy.toml") << text;
    return folder / "toy.toml";
  }

  [[nodiscard]] static int count(const fs::path& file, const std::string& what) {
    return SQLite::Database(file.string(), SQLite::OPEN_READONLY)
        .execAndGet("SELECT count(*) FROM " + what)
        .getInt();
  }

  /// Each problem's best, without values that differ from run to run.
  [[nodiscard]] std::vector<std::string> best_of(const fs::path& file) const {
    std::vector<std::string> best;
    const ProgramResult all =
        gtune({"query", data + "/toy.toml", "--all", "--json", "--db", file.string()});
    const json parsed = json::parse(all.out);
    for (const json& each : parsed["best"]) {
      best.push_back(each["problem"].dump() + each["config"].dump() + each["median_ms"].dump());
    }
    return best;
  }

  fs::path recordings = folder / "recordings";
  fs::path shapes = folder / "shapes.csv";
};

TEST_F(Sweep, TunesEveryShapeOfAFileOnce) {
  const ProgramResult result = sweep({"--shapes", shapes.string(), "--budget", "12"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(best_of(database).size(), 4U);
  EXPECT_EQ(count(database, "problem"), 4);
  // On average no more than the budget.
  EXPECT_LE(count(database, "measurement WHERE phase = 'search'"), 4 * 12);
  EXPECT_GE(count(database, "measurement WHERE phase = 'search'"), 4 * 6);

  const int rows = count(database, "measurement");
  const ProgramResult again = sweep({"--shapes", shapes.string(), "--budget", "12"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(count(database, "measurement"), rows);
}

TEST_F(Sweep, GoesOnBehindAShapeThatFails) {
  // 9999 was not recorded.
  const ProgramResult result = sweep({"--n", "1000,9999,2000", "--budget", "12"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("1 of 3 problems failed, the others are done: n=9999: "),
            std::string::npos)
      << result.err;
  EXPECT_EQ(best_of(database).size(), 2U);
}

TEST_F(Sweep, WhatWasMeasuredOutsideANarrowedSpaceIsNoGain) {
  ASSERT_EQ(
      sweep({"--n", "1000,2000", "--param", "BLOCK=32,64", "--strategy", "exhaustive"}).exit_code,
      0);
  ASSERT_EQ(sweep({"--n", "1000,2000", "--param", "BLOCK=128,256", "--budget", "8"}).exit_code, 0);
  // More than the first shares: the space is far from measured.
  EXPECT_GT(count(database,
                  "measurement JOIN config ON config.id = config_id WHERE "
                  "phase = 'search' AND json_extract(params, '$.BLOCK') >= 128"),
            2 * 4);
  // At least one had a second share; metrics exist only for each problem's last run.
  EXPECT_GT(count(database, "run WHERE strategy <> 'exhaustive'"), 2);
  EXPECT_EQ(count(database,
                  "(SELECT DISTINCT run_id FROM metric JOIN measurement ON measurement.id = "
                  "measurement_id JOIN run ON run.id = run_id "
                  "WHERE phase = 'final' AND strategy <> 'exhaustive')"),
            2);
}

TEST_F(Sweep, EachProblemTakesTheGivenConfigurationsThatAreValidForIt) {
  const std::vector<std::string> start = {"tune", small_blocks().string(), "--device",
                                          "replay:" + recordings.string(), "--quiet"};
  const auto measured = [&](std::vector<std::string> more) {
    more.insert(more.begin(), start.begin(), start.end());
    return gtune(more);
  };
  const std::string small = "BLOCK=64,UNROLL=2,VARIANT=0";
  const std::string large = "BLOCK=512,UNROLL=4,VARIANT=0";  // for n of 2048 and more
  const ProgramResult all =
      measured({"--n", "1000,3000,5000", "--config", small, "--config", large});
  ASSERT_EQ(all.exit_code, 0) << all.err;
  EXPECT_EQ(count(database, "measurement WHERE phase = 'search'"), 2 + 2 + 1);
  // No problem is left without a configuration in silence, and one alone takes all or none.
  const ProgramResult none = measured({"--n", "1000,3000", "--config", large});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.err.find("violates the constraint fits: 'BLOCK * UNROLL <= n' for n=1000"),
            std::string::npos)
      << none.err;
  EXPECT_EQ(measured({"--n", "1000", "--config", small, "--config", large}).exit_code, 2);
}

TEST_F(Sweep, SkipsWhatWasTunedAlone) {
  ASSERT_EQ(sweep({"--n", "1000", "--budget", "12"}).exit_code, 0);
  ASSERT_EQ(sweep({"--n", "1000,2000", "--budget", "12"}).exit_code, 0);
  EXPECT_EQ(
      count(database, "run JOIN problem ON problem.id = problem_id WHERE sizes LIKE '%1000%'"), 1);
  EXPECT_GE(count(database, "run"), 2);
}

TEST_F(Sweep, ContinuesAfterAnInterruption) {
  ASSERT_EQ(sweep({"--n", "1000,2000", "--strategy", "exhaustive"}).exit_code, 0);
  const int rows = count(database, "measurement");
  ASSERT_EQ(sweep({"--n", "1000:3000:+1000", "--strategy", "exhaustive"}).exit_code, 0);
  EXPECT_EQ(count(database, "run"), 3);
  EXPECT_LT(count(database, "measurement"), 2 * rows);
}

TEST_F(Sweep, AnInterruptPrintsWhatIsDoneWhatFailedAndTheBestSoFar) {
  for (const char* fresh : {"", "--fresh"}) {  // with shares of the budget, and without
    SCOPED_TRACE(fresh);
    fs::remove(database);
    std::vector<std::string> argv = {test::gtune_binary(),
                                     "tune",
                                     data + "/toy.toml",
                                     "--device",
                                     "replay:" + recordings.string(),
                                     "--n",
                                     "1000,9999,2000",
                                     "--budget",
                                     "12",
                                     "--json"};
    if (*fresh != 0) argv.emplace_back(fresh);
    std::vector<std::string> slow = environment();
    slow.emplace_back("GTUNE_REPLAY_DELAY_MS=50");
    const auto second_has_begun = [&] {
      try {
        return count(database,
                     "measurement JOIN problem ON problem.id = problem_id WHERE sizes LIKE "
                     "'%2000%' AND phase = 'search'") >= 3;
      } catch (const SQLite::Exception&) {  // not created yet
        return false;
      }
    };
    const ProgramResult interrupted = run_and_kill_when(argv, slow, second_has_begun, SIGINT);
    EXPECT_EQ(interrupted.exit_code, 130);
    std::istringstream out(interrupted.out);
    json first, second;
    out >> first >> second;
    EXPECT_EQ(first["interrupted"], false);
    EXPECT_EQ(first["problem"]["n"], 1000);
    EXPECT_EQ(second["interrupted"], true);
    EXPECT_EQ(second["problem"]["n"], 2000);
    EXPECT_TRUE(*fresh == 0 || interrupted.err.find("n=9999: ") != std::string::npos)
        << interrupted.err;
  }
}

TEST_F(Sweep, ShardsMergeIntoTheWhole) {
  const fs::path whole = folder / "whole.db";
  const std::vector<std::string> all = {"--n", "1000:5000:1000", "--strategy", "exhaustive"};
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.end(), all.begin(), all.end());
    const ProgramResult result = sweep(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
  };
  run({"--db", whole.string()});
  std::vector<std::string> merge = {"db", "merge", "-o", database.string()};
  for (const std::string shard : {"3/3", "1/3", "2/3"}) {
    const fs::path part = folder / ("part" + shard.substr(0, 1) + ".db");
    run({"--db", part.string(), "--shard", shard});
    EXPECT_EQ(count(part, "problem"), shard == "3/3" ? 1 : 2);
    merge.push_back(part.string());
  }
  ASSERT_EQ(gtune(merge).exit_code, 0);
  EXPECT_EQ(best_of(database), best_of(whole));
  EXPECT_EQ(best_of(whole).size(), 5U);
  EXPECT_EQ(count(database, "measurement"), count(whole, "measurement"));
  EXPECT_EQ(sweep({"--n", "1000", "--shard", "2/2"}).exit_code, 0);  // this shard is empty
}

TEST_F(Sweep, KnowsWhatALeftOutSizeWouldLose) {
  ASSERT_EQ(sweep({"--n", "1000:5000:1000", "--strategy", "exhaustive"}).exit_code, 0);
  const ProgramResult result =
      gtune({"query", data + "/toy.toml", "--leave-one-out", "--json", "--device", "made-up gpu"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out);
  ASSERT_EQ(report["left_out"].size(), 5U);
  int measured = 0;
  for (const json& each : report["left_out"]) {
    EXPECT_TRUE(each["answered_by"].contains("BLOCK")) << each;
    if (each["loss"].is_null()) continue;  // not in the recording of that size
    EXPECT_GE(each["loss"].get<double>(), 0);
    ++measured;
  }
  EXPECT_GE(measured, 3);
  EXPECT_EQ(report["subsets"]["count"], 100);
  EXPECT_EQ(report["subsets"]["measured"].get<int>() + report["subsets"]["not_measured"].get<int>(),
            100);
  EXPECT_FALSE(report["subsets"]["median_loss"].is_null());
}

TEST_F(Sweep, MistakesInAFileAreNamedByLine) {
  const auto refused = [&](const std::string& text) {
    std::ofstream(shapes) << text;
    const ProgramResult result = sweep({"--shapes", shapes.string()});
    EXPECT_EQ(result.exit_code, 2) << text;
    expect_one_clear_line(result);
    return result.err;
  };
  EXPECT_NE(refused("n\n100\n\nx\n").find("shapes.csv:4: "), std::string::npos);
  EXPECT_NE(refused("\xEF\xBB\xBFn\nx\n").find("shapes.csv:2: "), std::string::npos);
  EXPECT_NE(refused("# shapes\nn,q\n").find("shapes.csv:2: kernel 'toy' has no problem size 'q'"),
            std::string::npos);
  EXPECT_NE(refused("n\n1,2\n").find("shapes.csv:2: expected 1 values"), std::string::npos);
  EXPECT_NE(refused("100\n100x200\n").find("shapes.csv:2: more sizes"), std::string::npos);
  EXPECT_NE(refused("1:2:1\n").find("not a single size"), std::string::npos);
  refused("n\n-5\n");
  refused("n,n\n1,1\n");
  refused("# nothing\n");
  EXPECT_NE(refused("n\n" + std::string(5000, '9') + "\n").find("the line has 5000 bytes"),
            std::string::npos);
  fs::remove(shapes);
  const ProgramResult missing = sweep({"--shapes", shapes.string()});
  EXPECT_EQ(missing.exit_code, 2);
  expect_one_clear_line(missing);
  for (const char* shard : {"0/3", "4/3", "1", "1/0", "a/b", "1/3x", "-1/3"}) {
    const ProgramResult bad = sweep({"--n", "1000", std::string("--shard=") + shard});
    EXPECT_EQ(bad.exit_code, 2) << shard;
    expect_one_clear_line(bad);
  }
}

std::vector<Measurement> times(const std::vector<double>& milliseconds) {
  std::vector<Measurement> all;
  for (const double ms : milliseconds) {
    Measurement measurement;
    if (ms > 0) {
      measurement.timing.emplace();
      measurement.timing->median_ms = ms;
    } else {
      measurement.status = Status::launch_error;
    }
    all.push_back(measurement);
  }
  return all;
}

TEST(BudgetShares, GoToWhatStillGetsBetter) {
  EXPECT_EQ(late_gain(times({4, 3, 5, 3})), 0);
  EXPECT_DOUBLE_EQ(late_gain(times({4, 5, 9, 3})), 0.25);
  EXPECT_EQ(late_gain(times({0, 0, 9, 3})), 1);
  EXPECT_EQ(late_gain({}), 1);
  EXPECT_DOUBLE_EQ(gain_of_few(4), 0.2);  // the fifth may well be better
  EXPECT_EQ(gain_of_few(100), 0);
  const Budget each = parse_budget("100");
  EXPECT_EQ(first_share(each).configurations, 50U);
  EXPECT_EQ(first_share(parse_budget("1")).configurations, 1U);
  const auto shares = second_shares(each, {0, 0.25, 0.75, 0});
  EXPECT_FALSE(shares[0]);
  EXPECT_EQ(shares[1]->configurations, 100U);  // 50 and a quarter of 200
  EXPECT_EQ(shares[2]->configurations, 200U);
  // A single problem gets no more than a multiple of the average.
  std::vector<double> gains(20, 0);
  gains[3] = 0.5;
  EXPECT_DOUBLE_EQ(*second_shares(parse_budget("10s"), gains)[3]->seconds, 40);
  EXPECT_FALSE(second_shares(each, {0, 0})[0]);
  // The rest goes to the others, even to one with next to nothing to gain.
  gains[4] = 0.001;
  gains[5] = std::numeric_limits<double>::min();
  const auto handed_on = second_shares(parse_budget("10s"), gains);
  EXPECT_DOUBLE_EQ(*handed_on[3]->seconds, 40);
  EXPECT_DOUBLE_EQ(*handed_on[4]->seconds, 40);
  EXPECT_DOUBLE_EQ(*handed_on[5]->seconds, 5 + 30);
  EXPECT_FALSE(handed_on[6]);
}

}  // namespace
}  // namespace gtune::test
