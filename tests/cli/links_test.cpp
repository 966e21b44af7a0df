// Workers started by launchers, and processes killed at random.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <thread>

#include "support/build_under_test.hpp"
#include "support/patience.hpp"
#include "system/child_process.hpp"
#include "system/frame.hpp"
#include "workers_fixture.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class Links : public Workers {
 protected:
  [[nodiscard]] static std::string worker(const std::filesystem::path& file) {
    return test::gtune_binary() + " worker --device " + replay(file);
  }

  [[nodiscard]] std::vector<std::string> over(const std::vector<std::string>& launchers,
                                              const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = toy_on("none", more);
    for (const std::string& launcher : launchers) {
      arguments.insert(arguments.end(), {"--worker-command", launcher});
    }
    return arguments;
  }

  /// A launcher that runs `first` at its first call, and `later` afterwards.
  [[nodiscard]] std::string at_first(const std::string& first, const std::string& later) const {
    return "if mkdir " + (folder / "once").string() + " 2>/dev/null; then " + first + "; else " +
           later + "; fi";
  }

  [[nodiscard]] double seconds_of(const std::vector<std::string>& arguments) const {
    std::filesystem::remove(database);
    std::vector<std::string> all = arguments;
    all.insert(all.end(),
               {"--quiet", "--strategy", "random", "--trace", (folder / "trace.json").string()});
    const ProgramResult result = gtune(all, {"GTUNE_REPLAY_DELAY_MS=40"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return trace()["otherData"]["searches"][0]["seconds"].get<double>();
  }

  [[nodiscard]] json trace() const { return json::parse(std::ifstream(folder / "trace.json")); }
};

const std::vector<std::string> short_grace = {"GTUNE_WORKER_GRACE_MS=400"};

/// Children of `parent` that are workers or launchers of workers.
std::vector<pid_t> workers_of(pid_t parent) {
  std::vector<pid_t> found;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid == 0) continue;
    std::string stat;
    std::getline(std::ifstream(entry.path() / "stat"), stat);
    std::string command;
    std::getline(std::ifstream(entry.path() / "cmdline"), command);
    int ppid = 0;
    const auto name_end = stat.rfind(')');
    if (name_end == std::string::npos) continue;
    std::sscanf(stat.c_str() + name_end + 1, " %*c %d", &ppid);
    if (ppid == parent && command.find("worker") != std::string::npos) found.push_back(pid);
  }
  return found;
}

TEST_F(Links, CarryAWorkersPipe) {
  const ProgramResult result = gtune(over({worker(recording)}, {"--json", "--quiet"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  json over_a_link = json::parse(result.out);
  std::filesystem::remove(database);
  json here = tune_toy();
  for (const char* varies : {"finished", "run_again"}) {
    over_a_link.erase(varies);
    here.erase(varies);
  }
  EXPECT_EQ(over_a_link, here);
}

TEST_F(Links, ABannerIsReadOverAndStandardErrorIsShown) {
  const ProgramResult result = gtune(
      over({"echo Welcome to gtune on node7, gtunes and gtun; echo quota exceeded >&2; exec " +
            worker(recording)},
           {"--budget", "5"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("'Welcome to gtune on node7, gtunes and gtun'"), std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find(": quota exceeded\n"), std::string::npos) << result.err;
}

TEST_F(Links, OneThatDoesNotAnswerIsRemarkedOnWhileItIsWaitedFor) {
  const ProgramResult result =
      gtune(over({"sleep 1; exec " + worker(recording)}, {"--quiet", "--budget", "3"}),
            {"GTUNE_LINK_PATIENCE_MS=200"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("is the command waiting for an allocation, a password"),
            std::string::npos)
      << result.err;
}

TEST_F(Links, SeveralThatIgnoreSignalsEndSideBySide) {
  const std::string stubborn = "trap '' TERM; " + worker(recording) + "; sleep 100";
  const auto start = std::chrono::steady_clock::now();
  const ProgramResult result =
      gtune(over({stubborn, stubborn, stubborn, stubborn}, {"--quiet", "--budget", "3"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  // Each takes eight seconds; in sequence they would take half a minute.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10) * patience);
}

TEST_F(Links, AKilledTunerLeavesNoWorkerThoughItHangsAndItsLauncherIgnoresSignals) {
  const std::string pid_file = (folder / "pid").string();
  const std::string launcher = "trap '' TERM; echo $$ > " + pid_file +
                               "; GTUNE_FAULT=worker:hang@hello#1 " + worker(recording);
  std::vector<std::string> argv = {test::gtune_binary()};
  for (const std::string& word : over({launcher}, {"--quiet"})) argv.push_back(word);
  run_and_kill_when(
      argv, environment(), [&] { return std::filesystem::exists(pid_file); }, SIGKILL);
  pid_t launched = 0;
  std::ifstream(pid_file) >> launched;
  ASSERT_GT(launched, 0);
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10) * patience;
  const auto is_there = [&] { return !workers_of(launched).empty() || kill(launched, 0) == 0; };
  while (is_there() && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_TRUE(workers_of(launched).empty());
}

TEST_F(Links, NumbersInTheEnvironmentAreChecked) {
  for (const char* name : {"GTUNE_WORKER_GRACE_MS", "GTUNE_LINK_PATIENCE_MS",
                           "GTUNE_LINK_SILENCE_MS", "GTUNE_REPLAY_DELAY_MS"}) {
    const ProgramResult result = gtune(toy({"--quiet"}), {std::string(name) + "=soon"});
    EXPECT_NE(result.exit_code, 0) << name;
    expect_one_clear_line(result);
    EXPECT_NE(result.err.find(std::string(name) + "=soon: expected a whole number"),
              std::string::npos)
        << result.err;
  }
}

TEST_F(Links, WhatCannotBeReachedIsSaidWithItsLastWords) {
  const ProgramResult result =
      gtune(over({"echo no route to host >&2; exit 255"}, {"--quiet"}), short_grace);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("gtune: no worker stays up: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("no route to host"), std::string::npos) << result.err;
  const ProgramResult banner = gtune(over({"echo gtune: not found"}, {"--quiet"}), short_grace);
  EXPECT_EQ(banner.exit_code, 1);
  EXPECT_NE(banner.err.find("'gtune: not found'"), std::string::npos) << banner.err;
}

TEST_F(Links, BothEndsMustBeOfOneVersion) {
  // The tuner's end: a worker that reports another version.
  const std::string reply = R"({"kind":"hello_reply","protocol":4,"gtune":"9.9.9"})";
  std::ofstream(folder / "reply") << std::string("gtun") + static_cast<char>(reply.size()) +
                                         std::string(7, '\0') + reply;
  const ProgramResult result =
      gtune(over({"cat " + (folder / "reply").string() + "; cat >/dev/null"}, {"--quiet"}));
  EXPECT_EQ(result.exit_code, 1);
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find("gtune 9.9.9"), std::string::npos) << result.err;
  // The worker's end.
  ChildProcess process({test::gtune_binary(), "worker", "--device", replay(recording)});
  write_frame(process.stdin_fd(), {{{"kind", "hello"}, {"protocol", 2}}, {}});
  const auto answer = read_frame(process.stdout_fd(), std::nullopt);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->header["kind"], "error");
  EXPECT_NE(answer->header["line"].get<std::string>().find("with protocol 2"), std::string::npos)
      << answer->header;
}

TEST_F(Links, AnotherKernelsRecordingIsRefused) {
  Recording other = read_recording(recording);
  other.kernel.source_hash = "0123456789abcdef";
  write_recording(other, folder / "other.jsonl");
  const ProgramResult result = gtune(over({worker(folder / "other.jsonl")}, {"--quiet"}));
  EXPECT_EQ(result.exit_code, 1);
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find("01234567"), std::string::npos) << result.err;
}

TEST_F(Links, ALostOneIsOpenedAgain) {
  const ProgramResult result = gtune(
      over({"GTUNE_FAULT=worker:exit@measure#20 " + worker(recording)}, {"--json"}), short_grace);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json out = json::parse(result.out);
  EXPECT_EQ(out["tried"], 69);
  EXPECT_GE(out["statuses"]["crashed"], 3);
  EXPECT_LE(out["statuses"]["crashed"], 6);
  EXPECT_NE(result.err.find("the link is open again"), std::string::npos) << result.err;
}

TEST_F(Links, OneThatComesBackWithAnotherGpuDropsOut) {
  const std::string launcher = at_first(
      "GTUNE_FAULT=worker:exit@measure#3 " + worker(twin("GPU-twin")), worker(twin("GPU-third")));
  std::vector<std::string> arguments =
      toy_on(replay(recording), {"--json", "--worker-command", launcher});
  const ProgramResult result =
      gtune(arguments, {"GTUNE_REPLAY_DELAY_MS=5", "GTUNE_WORKER_GRACE_MS=400"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("came back with another GPU"), std::string::npos) << result.err;
  EXPECT_EQ(json::parse(result.out)["tried"], 69);
  expect_each_once(69);
}

TEST_F(Links, WhereTheLeadDropsOutTheFinalBeginsAgainOnTheNext) {
  // It makes about 35 measurements of the search: the 50th is in the final.
  const std::string dies =
      at_first("GTUNE_FAULT=worker:exit@measure#50 " + worker(recording), "exit 1");
  const ProgramResult result = gtune(over({dies, worker(twin("GPU-twin"))}, {"--json"}),
                                     {"GTUNE_REPLAY_DELAY_MS=5", "GTUNE_WORKER_GRACE_MS=400"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("drops out, 1 worker continues"), std::string::npos) << result.err;
  const json out = json::parse(result.out);
  EXPECT_EQ(out["tried"], 69);
  EXPECT_EQ(out["device"]["uuid"], "GPU-twin");
  EXPECT_EQ(out["devices"][0]["dropped_out"], true);
  EXPECT_GT(out["devices"][0]["measured"], 20);
  EXPECT_EQ(count("SELECT COUNT(DISTINCT device_id) FROM measurement WHERE phase = 'final'"), 1);
  EXPECT_EQ(count("SELECT COUNT(*) FROM run JOIN device ON device.id = run.device_id "
                  "WHERE uuid = 'GPU-twin'"),
            1);
  EXPECT_EQ(gtune({"query", data + "/toy.toml"}).exit_code, 0);
}

TEST_F(Links, OverSshToLocalhost) {
  const ProgramResult probe =
      run_program({"/bin/sh", "-c", "ssh -o BatchMode=yes -o ConnectTimeout=2 localhost true"});
  if (probe.exit_code != 0) GTEST_SKIP() << "no ssh to localhost: " << probe.err;
  const ProgramResult result =
      gtune(over({"ssh -o BatchMode=yes localhost " + worker(recording)}, {"--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out)["tried"], 69);
}

TEST_F(Links, MoreWorkersAreFasterAccordingly) {
  const std::string file = replay(recording);
  const std::string here = worker(recording);
  const double one = seconds_of(toy_on(file));
  double two = one, four = one;
  for (int attempt = 0; attempt < 3 && (one / two < 1.8 || one / four < 3.2); ++attempt) {
    two = std::min(two, seconds_of(toy_on(file + "," + file)));  // other programs may slow it
    four = std::min(four, seconds_of(over({here, here, here, here})));
  }
  EXPECT_GE(one / two, 1.8);
  EXPECT_GE(one / four, 3.2);
}

TEST_F(Links, KillsAtRandomLoseNothing) {
  std::mt19937 random(6);
  int killed = 0;
  for (int round = 0; round < 4; ++round) {
    std::filesystem::remove(database);
    std::vector<std::string> argv = {"/usr/bin/env", "GTUNE_REPLAY_DELAY_MS=15"};
    for (const std::string& entry : environment()) argv.push_back(entry);
    argv.emplace_back(test::gtune_binary());
    const auto arguments =
        toy_on(replay(recording) + "," + replay(recording),
               {"--json", "--quiet", "--worker-command", "echo hello; " + worker(recording),
                "--worker-command", worker(twin("GPU-twin"))});
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    ChildProcess tuner(argv);
    std::jthread killer([&, seed = random()](const std::stop_token& stop) {
      std::mt19937 choice(seed);
      for (int kills = 0; kills < 8 && !stop.stop_requested();) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20 + choice() % 60));
        const std::vector<pid_t> workers = workers_of(tuner.pid());
        if (workers.empty()) continue;
        ++kills;
        ++killed;
        kill(workers[choice() % workers.size()], SIGKILL);
      }
    });
    std::string text;
    char piece[4096];
    for (ssize_t got = 0; (got = read(tuner.stdout_fd(), piece, sizeof piece)) > 0;) {
      text.append(piece, static_cast<std::size_t>(got));
    }
    killer.request_stop();
    killer.join();
    ASSERT_EQ(tuner.wait(), "exit code 0") << tuner.stderr_tail();
    const json out = json::parse(text);
    EXPECT_EQ(out["tried"], 69);
    EXPECT_EQ(count("SELECT COUNT(DISTINCT config_id) FROM measurement WHERE phase='search'"), 69);
    // A finalist whose worker was killed has a second row, which records that.
    EXPECT_EQ(count("SELECT COUNT(*) FROM (SELECT 1 FROM measurement WHERE phase='search' AND "
                    "gpu_ms > 0 GROUP BY config_id HAVING COUNT(*) > 1)"),
              0);
  }
  EXPECT_GT(killed, 12);
}

TEST_F(Links, ATraceHasALaneForEachWorker) {
  const std::string file = replay(recording);
  const ProgramResult result =
      gtune(toy_on(file + "," + file, {"--json", "--compile", "--budget", "12", "--trace",
                                       (folder / "trace.json").string()}),
            {"GTUNE_REPLAY_DELAY_MS=50"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json all = trace();
  std::map<int, std::string> lanes;
  std::map<std::string, int> spans;
  for (const json& event : all["traceEvents"]) {
    if (event["ph"] == "M") lanes[event["tid"]] = event["args"]["name"];
  }
  for (const json& event : all["traceEvents"]) {
    if (event["ph"] != "X") continue;
    ++spans[lanes.at(event["tid"]) + " " + event["name"].get<std::string>()];
    EXPECT_GE(event["dur"], 0);
  }
  EXPECT_EQ(spans["tuner ask"], 12);
  EXPECT_EQ(spans["tuner tell"], 12);
  EXPECT_EQ(spans["tuner store"], 12);
  EXPECT_GE(spans["compiler 1 compile"], 2);
  int compiled = 0;  // each once, many of them before the workers are ready
  for (const auto& [name, count] : spans) {
    if (name.starts_with("compiler ") && name.ends_with(" compile")) compiled += count;
  }
  EXPECT_GE(compiled, 12);
  // The split between the workers depends on which is up first.
  EXPECT_GE(spans["replay 1 measure"], 1);
  EXPECT_GE(spans["replay 2 measure"], 1);
  EXPECT_GE(spans["replay 1 measure"] + spans["replay 2 measure"], 12);
  const json& search = all["otherData"]["searches"][0];
  EXPECT_EQ(search["measured"].size(), 2U);
  EXPECT_GT(search["gpu_busy"], 0);
  EXPECT_LE(search["gpu_busy"], 1);
  EXPECT_NEAR(json::parse(result.out)["gpu_busy"].get<double>(), search["gpu_busy"], 1e-9);
}

TEST_F(Links, AnInterruptedRunHasATraceAsWell) {
  std::vector<std::string> argv = {test::gtune_binary()};
  for (const std::string& word : toy({"--trace", (folder / "trace.json").string()})) {
    argv.push_back(word);
  }
  std::vector<std::string> slow = environment();
  slow.emplace_back("GTUNE_REPLAY_DELAY_MS=100");
  run_and_kill(argv, slow, 1500, SIGINT);
  EXPECT_GT(trace()["traceEvents"].size(), 3U);
  const ProgramResult refused = gtune(toy({"--trace", "/nowhere/trace.json"}));
  EXPECT_EQ(refused.exit_code, 1);
  expect_one_clear_line(refused);
  EXPECT_FALSE(std::filesystem::exists(database) && count("SELECT COUNT(*) FROM run") > 1);
}

}  // namespace
}  // namespace gtune::test
