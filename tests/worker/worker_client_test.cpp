#include "worker/worker_client.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include "model/error.hpp"
#include "support/build_under_test.hpp"
#include "support/environment_variable.hpp"
#include "support/patience.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"
#include "worker/support.hpp"

namespace gtune {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using test::EnvironmentVariable;

bool never() { return false; }

std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

/// A request that gives a worker half a second.
Measure short_request() {
  Measure request = test::measure_request({{"A", 1}, {"B", 2}});
  request.time_limit_ms = 10;
  request.sampling.max_seconds = 0.1;
  return request;
}

OpenProblem open_request(std::int64_t n = 1024) {
  OpenProblem request;
  request.problem = {{"n", n}};
  return request;
}

class WorkerClientTest : public testing::Test {
 protected:
  WorkerClientTest() : m_file(m_folder.path() / "copy.jsonl") {
    write_recording(test::some_recording(), m_file);
  }

  [[nodiscard]] std::vector<std::string> replaying() const {
    return {test::gtune_binary(), "worker", "--device", "replay:" + m_file.string()};
  }

  /// Sends the four messages up to and including `last`. Returns true if the measurement arrived.
  static bool talk(WorkerClient& worker, const std::string& last = "measure") {
    static_cast<void>(worker.ask(Hello{}));
    if (last == "hello") return false;
    worker.ask(Prepare{});
    if (last == "prepare") return false;
    worker.ask(open_request());
    if (last == "open_problem") return false;
    return worker.ask(short_request()).timing.has_value();
  }

  /// The error with which the worker is lost.
  static WorkerLost loss(WorkerClient& worker, const std::string& last = "measure") {
    try {
      talk(worker, last);
    } catch (const WorkerLost& lost) {
      const std::string reason = lost.what();
      EXPECT_FALSE(reason.empty());
      EXPECT_EQ(reason.find('\n'), std::string::npos) << reason;
      EXPECT_FALSE(worker.running());
      return lost;
    }
    ADD_FAILURE() << "it was not lost";
    return {Status::ok, ""};
  }

  test::TemporaryFolder m_folder;
  std::filesystem::path m_file;
};

TEST_F(WorkerClientTest, EveryMessageIsAnswered) {
  WorkerClient worker(replaying(), {}, never);
  EXPECT_FALSE(worker.running());
  worker.start();
  EXPECT_TRUE(worker.running());
  const HelloReply hello = worker.ask(Hello{});
  EXPECT_EQ(hello.protocol, protocol_version);
  EXPECT_EQ(hello.device.name, "NVIDIA H200");
  EXPECT_TRUE(hello.device.replayed);
  EXPECT_EQ(hello.recorded_kernel.value().name, "copy");
  EXPECT_EQ(hello.recorded_configs.size(), 4U);
  EXPECT_EQ(worker.ask(Prepare{}).limits.fma_tflops, 60.5);
  worker.ask(open_request());
  const MeasureReply reply = worker.ask(short_request());
  EXPECT_EQ(reply.status, Status::ok);
  EXPECT_EQ(reply.timing.value().samples_ms.at(0), 1.0);
  EXPECT_EQ(worker.ask(test::measure_request({{"A", 2}, {"B", 2}})).reason, "out[3] is 1, not 2");
}

TEST_F(WorkerClientTest, ARequestThatCannotBeServedIsTheUsersErrorAndNoLoss) {
  WorkerClient worker(replaying(), {}, never);
  worker.start();
  try {
    worker.ask(open_request(2048));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::nothing_stored);
    EXPECT_NE(std::string(error.what()).find("n=2048"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(worker.running());
  worker.ask(open_request());
  EXPECT_TRUE(worker.ask(short_request()).timing);
}

TEST_F(WorkerClientTest, WithoutAProcessNothingIsAnswered) {
  WorkerClient worker(replaying(), {}, never);
  EXPECT_EQ(loss(worker).status(), Status::crashed);
}

struct WorkerFault {
  std::string action;
  std::string message;
  [[nodiscard]] std::string name() const { return action + "_" + message; }
};

std::vector<WorkerFault> worker_faults() {
  std::vector<WorkerFault> all;
  for (const char* action : {"crash", "hang", "garbage", "truncate", "exit"}) {
    for (const char* message : {"hello", "prepare", "open_problem", "measure"}) {
      all.push_back({action, message});
    }
  }
  return all;
}

/// A part of the reason for the loss.
std::string said_of(const std::string& action) {
  if (action == "crash") return "SIGSEGV";
  if (action == "hang") return "no answer";
  if (action == "garbage") return "garbage instead of a message: 'printf from a kernel: 42'";
  if (action == "truncate") return "ended inside";
  return "exit code 7";
}

class FaultyWorker : public WorkerClientTest, public testing::WithParamInterface<WorkerFault> {};

TEST_P(FaultyWorker, IsLostQuicklyAndANewOneGoesOn) {
  const auto& [action, message] = GetParam();
  // A start may be slow on a busy machine, but only a hang makes the test wait for its limit.
  const auto start_limit = action == "hang" ? 2s : 60s;
  WorkerClient worker(replaying(), {start_limit, 500ms, 200ms}, never);
  {
    const EnvironmentVariable fault("GTUNE_FAULT", "worker:" + action + "@" + message + "#1");
    worker.start();
    const auto start = Clock::now();
    const WorkerLost lost = loss(worker, message);
    EXPECT_EQ(lost.status(), action == "hang" ? Status::timeout : Status::crashed) << lost.what();
    EXPECT_NE(std::string(lost.what()).find(said_of(action)), std::string::npos) << lost.what();
    EXPECT_LT(Clock::now() - start, 8s * test::patience);
  }
  worker.start();
  EXPECT_TRUE(talk(worker));
}

INSTANTIATE_TEST_SUITE_P(Faults, FaultyWorker, testing::ValuesIn(worker_faults()),
                         [](const auto& test) { return test.param.name(); });

TEST_F(WorkerClientTest, ATornReplyIsNotWaitedForLong) {
  // Half a frame, then nothing: the rest comes at the pipe's speed or not at all.
  WorkerClient worker(shell("printf 'gtun\\100\\0\\0'; exec sleep 100"), {}, never);
  worker.start();
  const auto start = Clock::now();
  EXPECT_EQ(loss(worker).status(), Status::timeout);
  EXPECT_LT(Clock::now() - start, 20s * test::patience);
}

TEST_F(WorkerClientTest, AWorkerThatDoesNotReadItsRequestIsLost) {
  WorkerClient worker({"sleep", "100"}, {5s, 500ms, 200ms}, never);
  worker.start();
  Measure request = short_request();
  request.cubin.resize(1 << 20);  // more than a pipe holds
  const auto start = Clock::now();
  try {
    worker.ask(request);
    FAIL();
  } catch (const WorkerLost& lost) {
    EXPECT_EQ(lost.status(), Status::timeout) << lost.what();
  }
  EXPECT_LT(Clock::now() - start, 5s * test::patience);
}

TEST_F(WorkerClientTest, ItsLastWordsAreInTheReason) {
  WorkerClient worker(shell("echo first >&2; echo no driver here >&2; exit 3"), {}, never);
  worker.start();
  const std::string reason = loss(worker).what();
  EXPECT_NE(reason.find("(exit code 3); it said: no driver here"), std::string::npos) << reason;
}

TEST_F(WorkerClientTest, WhatItSaidIsQuotedEvenIfItWentBeforeTheRequest) {
  WorkerClient worker(shell("echo no such command"), {}, never);
  worker.start();
  std::this_thread::sleep_for(500ms);
  const WorkerLost lost = loss(worker);
  EXPECT_EQ(lost.status(), Status::crashed);
  EXPECT_NE(std::string(lost.what()).find("'no such command'"), std::string::npos) << lost.what();
}

TEST_F(WorkerClientTest, ALoginBannerIsQuoted) {
  WorkerClient worker(shell("echo Welcome to node7; exec sleep 100"), {}, never);
  worker.start();
  const WorkerLost lost = loss(worker);
  EXPECT_EQ(lost.status(), Status::crashed);
  EXPECT_NE(std::string(lost.what()).find("'Welcome to node7'"), std::string::npos) << lost.what();
}

TEST_F(WorkerClientTest, AReplyOfAnotherKindIsGarbage) {
  // `cat` answers every request with the request.
  WorkerClient worker({"cat"}, {}, never);
  worker.start();
  const WorkerLost lost = loss(worker);
  EXPECT_EQ(lost.status(), Status::crashed);
  EXPECT_NE(std::string(lost.what()).find("hello_reply"), std::string::npos) << lost.what();
}

TEST_F(WorkerClientTest, WhatAKernelPrintsDoesNotGetIntoTheReplies) {
  WorkerClient worker({"/proc/self/exe", "noisy_worker"}, {}, never);
  worker.start();
  EXPECT_TRUE(talk(worker));
  for (int i = 0; i < 20; ++i) talk(worker);  // the recorded samples run out
}

TEST_F(WorkerClientTest, APoisonedContextEndsTheWorkerAfterItsReply) {
  WorkerClient worker({"/proc/self/exe", "noisy_worker"}, {}, never);
  worker.start();
  Measure request = short_request();
  request.label = "poison";
  const MeasureReply reply = worker.ask(request);
  EXPECT_TRUE(reply.worker_lost);
  EXPECT_EQ(reply.status, Status::crashed);
  EXPECT_EQ(reply.reason, "an illegal memory access; it said: the kernel's last words");
  EXPECT_FALSE(worker.running());
  worker.start();
  EXPECT_TRUE(talk(worker));
}

TEST_F(WorkerClientTest, TheUserNeedNotWaitForAHungWorker) {
  const EnvironmentVariable fault("GTUNE_FAULT", "worker:hang@measure#1");
  std::atomic<bool> interrupted = false;
  WorkerClient worker(replaying(), {10s, 10s, 10s}, [&] { return interrupted.load(); });
  worker.start();
  talk(worker, "open_problem");
  const auto start = Clock::now();
  std::thread user([&] {
    std::this_thread::sleep_for(200ms);
    interrupted = true;
  });
  EXPECT_THROW(worker.ask(short_request()), Interrupted);
  user.join();
  EXPECT_LT(Clock::now() - start, 3s * test::patience);
}

TEST_F(WorkerClientTest, ARecordingThatIsDamagedIsNamed) {
  m_folder.write("bad.jsonl", "hello\n");
  const std::string bad = (m_folder.path() / "bad.jsonl").string();
  const auto result =
      test::run_program({test::gtune_binary(), "worker", "--device", "replay:" + bad});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err.find("gtune: " + bad + ":1: "), 0U) << result.err;
  WorkerClient worker({test::gtune_binary(), "worker", "--device", "replay:" + bad}, {}, never);
  worker.start();
  try {
    static_cast<void>(worker.ask(Hello{}));
    ADD_FAILURE() << "it answered";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::failed);
    EXPECT_EQ(std::string(error.what()).find(bad + ":1: "), 0U) << error.what();
  }
}

TEST_F(WorkerClientTest, TheWorkerEndsWithItsInput) {
  const auto result = test::run_program(replaying(), {}, 20);  // nothing to read
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
}

TEST_F(WorkerClientTest, TheEndOfItsInputEndsAWorkerThatHangs) {
  const EnvironmentVariable fault("GTUNE_FAULT", "worker:hang@hello#1");
  ChildProcess child(replaying());
  write_frame(child.stdin_fd(), to_frame(Hello{}));
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(child.end({20s, 20s}), "exit code 0");
}

TEST_F(WorkerClientTest, SilenceEndsAWorkerThatHangsWhileItsPipeIsOpen) {
  const EnvironmentVariable fault("GTUNE_FAULT", "worker:hang@hello#1");
  ChildProcess child(replaying());
  Hello hello;
  hello.remote = true;
  hello.silence_ms = 200;
  write_frame(child.stdin_fd(), to_frame(hello));
  EXPECT_EQ(child.wait(), "exit code 1");
  EXPECT_NE(child.stderr_tail().find("nothing was heard of the tuner"), std::string::npos);
}

TEST_F(WorkerClientTest, AnErrorOfTheWorkerIsAFailureWhateverItsCode) {
  for (const int code : {0, 256, 130, 1}) {
    const std::string reply =
        R"({"kind":"error","line":"no \u001b[2J luck","exit_code":)" + std::to_string(code) + "}";
    m_folder.write("reply", std::string("gtun") + static_cast<char>(reply.size()) +
                                std::string(7, '\0') + reply + "\n");
    WorkerClient worker(
        shell("cat " + (m_folder.path() / "reply").string() + "; exec cat >/dev/null"), {}, never);
    worker.start();
    try {
      worker.ask(Hello{});
      FAIL() << code;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ExitCode::failed) << code;
      EXPECT_STREQ(error.what(), "no  [2J luck");
    }
  }
}

/// A worker started by a launcher, and the user's messages about it.
class LinkedWorkerTest : public WorkerClientTest {
 protected:
  LinkedWorkerTest() { m_limits.grace = 2s; }

  [[nodiscard]] std::string worker_line() const {
    return test::gtune_binary() + " worker --device replay:" + m_file.string();
  }

  [[nodiscard]] std::unique_ptr<WorkerClient> behind(const std::string& launcher) {
    auto worker = std::make_unique<WorkerClient>(shell(launcher), m_limits, never);
    worker->through_launcher([this](const std::string& line) {
      const std::scoped_lock lock(m_mutex);
      m_said.push_back(line);
    });
    worker->start();
    return worker;
  }

  [[nodiscard]] Hello greeting() const {
    Hello hello;
    hello.kernel = test::some_recording().kernel;
    hello.remote = true;
    hello.silence_ms = static_cast<int>(m_limits.silence.count());
    return hello;
  }

  [[nodiscard]] std::vector<std::string> said() {
    const std::scoped_lock lock(m_mutex);
    return m_said;
  }

  WorkerLimits m_limits;
  std::mutex m_mutex;
  std::vector<std::string> m_said;
};

TEST_F(LinkedWorkerTest, IsReachedThroughALauncherThatHandsOnWholeLinesOnly) {
  const std::string lines = "stdbuf -oL sed ''";
  const auto worker = behind(lines + " | " + worker_line() + " | " + lines);
  EXPECT_EQ(worker->ask(greeting()).device.name, "NVIDIA H200");
  Prepare prepare;
  for (const std::size_t size : {1, 1000, 1 << 20}) {  // without line ends, then of nothing else
    prepare.support_cubin.assign(size, std::byte{0});
    EXPECT_EQ(worker->ask(prepare).limits.fma_tflops, 60.5);
    prepare.support_cubin.assign(size, std::byte{'\n'});
    EXPECT_EQ(worker->ask(prepare).limits.fma_tflops, 60.5);
  }
  worker->ask(open_request());
  EXPECT_TRUE(worker->ask(short_request()).timing);
}

TEST_F(LinkedWorkerTest, ItsLauncherSeesTheEndOfItsInputBeforeItIsSignalled) {
  const std::string done = (m_folder.path() / "done").string();
  auto worker = behind("trap 'exit 1' TERM; " + worker_line() + "; echo cleaned up > " + done);
  worker->ask(greeting());
  worker.reset();
  EXPECT_TRUE(std::filesystem::exists(done));
}

TEST_F(LinkedWorkerTest, ALauncherThatReadsNoInputGetsSigterm) {
  const std::string done = (m_folder.path() / "done").string();
  auto worker = behind("trap 'echo cancelled > " + done +
                       "; exit' TERM; echo up >&2; while :; do sleep 0.05; done");
  while (said().empty()) std::this_thread::sleep_for(10ms);
  const auto start = Clock::now();
  worker.reset();
  EXPECT_TRUE(std::filesystem::exists(done));
  EXPECT_LT(Clock::now() - start, 5s * test::patience);
}

TEST_F(LinkedWorkerTest, ALauncherThatIgnoresSigtermIsKilledWithinEightSeconds) {
  auto worker = behind("trap '' TERM; echo up >&2; while :; do sleep 0.05; done");
  while (said().empty()) std::this_thread::sleep_for(10ms);
  const auto start = Clock::now();
  worker.reset();
  EXPECT_GE(Clock::now() - start, 6s);
  EXPECT_LT(Clock::now() - start, 8s * test::patience);
}

TEST_F(LinkedWorkerTest, TheUserIsToldOnceThatNothingAnswers) {
  m_limits.patience = 100ms;
  m_limits.start = 1s;
  const auto worker = behind("exec sleep 100");
  EXPECT_EQ(loss(*worker, "hello").status(), Status::timeout);
  ASSERT_EQ(said().size(), 1U);
  EXPECT_NE(said()[0].find("waiting for an allocation, a password"), std::string::npos)
      << said()[0];
  EXPECT_NE(said()[0].find("Ctrl-C"), std::string::npos) << said()[0];
}

TEST_F(LinkedWorkerTest, IsKeptAliveWhileItsAnswerIsAwaited) {
  m_limits.silence = 1s * test::patience;
  const EnvironmentVariable slow("GTUNE_REPLAY_DELAY_MS", std::to_string(2500 * test::patience));
  m_limits.grace = 20s * test::patience;
  const auto worker = behind(worker_line());
  worker->ask(greeting());
  worker->ask(Prepare{});
  worker->ask(open_request());
  EXPECT_TRUE(worker->ask(short_request()).timing);
}

TEST_F(LinkedWorkerTest, IsKeptAliveWhileIdleAndEndsWhereItIsNot) {
  m_limits.silence = 600ms * test::patience;
  const auto worker = behind(worker_line());
  worker->ask(greeting());
  for (int i = 0; i < 20; ++i) {
    worker->keep_alive();
    std::this_thread::sleep_for(m_limits.silence / 10);
  }
  EXPECT_EQ(worker->ask(Prepare{}).limits.fma_tflops, 60.5);
  std::this_thread::sleep_for(m_limits.silence * 2);
  EXPECT_THROW(worker->ask(Prepare{}), WorkerLost);
  ASSERT_FALSE(said().empty());
  EXPECT_NE(said().back().find("nothing was heard of the tuner"), std::string::npos);
}

TEST_F(LinkedWorkerTest, WhatItsLauncherPrintsFirstIsShown) {
  const auto worker = behind("echo; echo Welcome to node7; exec " + worker_line());
  worker->ask(greeting());
  ASSERT_EQ(said().size(), 1U);
  EXPECT_NE(said()[0].find("Welcome to node7'"), std::string::npos) << said()[0];
}

TEST_F(LinkedWorkerTest, AnEmptyLineOfItsLauncherIsNotWorthAMessage) {
  const auto worker = behind("echo; echo; exec " + worker_line());
  EXPECT_EQ(worker->ask(greeting()).device.name, "NVIDIA H200");
  EXPECT_TRUE(said().empty());
}

TEST_F(LinkedWorkerTest, WhatItWritesToStandardErrorIsShownFilteredAndInPart) {
  const auto worker = behind("printf '\\033[2Jred\\n' >&2; seq 100000 >&2; exec " + worker_line());
  worker->ask(greeting());
  const std::vector<std::string> lines = said();
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(ShownLines::most_lines) + 1);
  EXPECT_EQ(lines[0], " [2Jred");
  EXPECT_EQ(lines[1], "1");
  EXPECT_NE(lines.back().find("on standard error are not shown"), std::string::npos)
      << lines.back();
}

TEST_F(WorkerClientTest, AMessageThatIsUnknownEndsTheWorker) {
  ChildProcess child(replaying());
  write_frame(child.stdin_fd(), {{{"kind", "dance"}}, {}});
  EXPECT_FALSE(read_frame(child.stdout_fd(), Clock::now() + 20s));
  EXPECT_EQ(child.wait(), "exit code 1");
  EXPECT_NE(child.stderr_tail().find("unknown message 'dance'"), std::string::npos);
}

}  // namespace
}  // namespace gtune
