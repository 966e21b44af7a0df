#include "system/child_process.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <thread>

#include "model/error.hpp"
#include "support/patience.hpp"
#include "support/temporary_folder.hpp"

namespace gtune {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

std::string read_line(int fd) {
  std::string line;
  char c = 0;
  while (read(fd, &c, 1) == 1 && c != '\n') line += c;
  return line;
}

/// Whether the process ends and is reaped within two seconds.
bool ends(pid_t pid) {
  const auto deadline = Clock::now() + 2s;
  while (Clock::now() < deadline) {
    if (kill(pid, 0) != 0 && errno == ESRCH) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

TEST(ChildProcess, AnswersOverPipes) {
  ChildProcess child({"cat"});
  ASSERT_EQ(write(child.stdin_fd(), "hello\n", 6), 6);
  EXPECT_EQ(read_line(child.stdout_fd()), "hello");
  child.close_stdin();
  EXPECT_EQ(child.wait(), "exit code 0");
}

TEST(ChildProcess, SaysHowItEnded) {
  EXPECT_EQ(ChildProcess(shell("exit 3")).wait(), "exit code 3");
  EXPECT_EQ(ChildProcess(shell("kill -SEGV $$")).wait(), "signal 11 (SIGSEGV)");
}

TEST(ChildProcess, SaysItAgainWhenAskedAgain) {
  ChildProcess child(shell("exit 4"));
  EXPECT_EQ(child.wait(), "exit code 4");
  child.kill();  // must not reach another process with this number
  EXPECT_EQ(child.wait(), "exit code 4");
}

TEST(ChildProcess, AProgramThatIsNotThereIsAnErrorThatNamesIt) {
  try {
    ChildProcess child({"/nonexistent/gtune", "worker"});
    FAIL();
  } catch (const UserError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("/nonexistent/gtune"), text.npos) << text;
    EXPECT_NE(text.find("No such file"), text.npos) << text;
  }
}

TEST(ChildProcess, KeepsTheEndOfWhatItSaidOnStandardError) {
  ChildProcess child(shell("echo first >&2; echo last words >&2; exit 1"));
  child.wait();
  EXPECT_EQ(child.stderr_tail(), "first\nlast words\n");
}

TEST(ChildProcess, NeverBlocksOnStandardError) {
  ChildProcess child(shell("head -c 3000000 /dev/zero >&2; printf END >&2; echo done"));
  EXPECT_EQ(read_line(child.stdout_fd()), "done");
  const std::string tail = child.stderr_tail();
  EXPECT_EQ(tail.size(), 4096U);
  EXPECT_TRUE(tail.ends_with("END"));
}

TEST(ChildProcess, DestructionKillsItAndItsChildren) {
  pid_t grandchild = 0;
  pid_t child_pid = 0;
  {
    ChildProcess child(shell("sleep 100 & echo $!; wait"));
    grandchild = std::stoi(read_line(child.stdout_fd()));
    child_pid = child.pid();
    EXPECT_EQ(kill(grandchild, 0), 0);
  }
  EXPECT_EQ(waitpid(child_pid, nullptr, WNOHANG), -1);  // reaped
  // Only init can reap the grandchild, which may be slow in a container: a zombie is enough.
  const std::string state =
      "grep -qs '^State:.*[ZX]' /proc/" + std::to_string(grandchild) + "/status";
  EXPECT_TRUE(std::system(state.c_str()) == 0 || ends(grandchild));
}

TEST(ChildProcess, LeadsAGroupOfItsOwn) {
  ChildProcess child({"cat"});
  EXPECT_EQ(getpgid(child.pid()), child.pid());
}

TEST(ChildProcess, ChildrenOfSeveralThreadsDoNotHoldEachOthersPipes) {
  // Another child with the pipe's other end would hide the end of input from `cat`.
  for (int round = 0; round < 20; ++round) {
    std::array<std::thread, 4> threads;
    for (std::thread& thread : threads) {
      thread = std::thread([] {
        ChildProcess child({"cat"});
        child.close_stdin();
        EXPECT_EQ(child.wait(), "exit code 0");
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(ChildProcess, AChildThatLivesDoesNotHoldAnothersPipes) {
  ChildProcess first({"cat"});
  ChildProcess second({"cat"});
  ChildProcess third({"cat"});
  // A younger child with a copy of its pipe would hide the end of input from the first.
  first.close_stdin();
  pollfd end{first.stdout_fd(), POLLIN, 0};
  ASSERT_EQ(poll(&end, 1, 5000), 1);
  char byte = 0;
  EXPECT_EQ(read(first.stdout_fd(), &byte, 1), 0);
  EXPECT_EQ(first.wait(), "exit code 0");
  // A copy of the other end would hide the death of the second.
  second.kill();
  EXPECT_EQ(second.wait(), "signal 9 (SIGKILL)");
  std::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(write(second.stdin_fd(), "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
  EXPECT_EQ(kill(third.pid(), 0), 0);
}

TEST(ChildProcess, DestructionOfASleeperIsQuick) {
  const auto start = Clock::now();
  { ChildProcess child(shell("trap '' TERM INT; sleep 100")); }
  EXPECT_LT(Clock::now() - start, 2s * test::patience);
}

TEST(ChildProcess, AFloodOnStandardErrorKeepsNobodyFromAskingForItsEnd) {
  ChildProcess child(shell("exec yes 'a long line of text' >&2"));
  std::this_thread::sleep_for(50ms);
  const auto start = Clock::now();
  EXPECT_EQ(child.stderr_tail().size(), 4096U);
  EXPECT_LT(Clock::now() - start, 2s * test::patience);
}

constexpr EndPatience patient{20s, 20s};

TEST(ChildProcess, EndsByTheEndOfItsInputWhereThatIsEnough) {
  ChildProcess child(shell("cat >/dev/null; exit 5"));
  EXPECT_EQ(child.end(patient), "exit code 5");
  EXPECT_EQ(child.end(patient), "exit code 5");
}

TEST(ChildProcess, EndsBySigtermWhereItReadsNoInput) {
  ChildProcess child(shell("trap 'exit 6' TERM; echo ready; while :; do sleep 0.02; done"));
  EXPECT_EQ(read_line(child.stdout_fd()), "ready");
  EXPECT_EQ(child.end({50ms, 20s}), "exit code 6");
}

TEST(ChildProcess, EndsBySigkillWhereItIgnoresAllElse) {
  ChildProcess child(shell("trap '' TERM; echo ready; while :; do sleep 0.02; done"));
  EXPECT_EQ(read_line(child.stdout_fd()), "ready");
  const auto start = Clock::now();
  EXPECT_EQ(child.end({50ms, 50ms}), "signal 9 (SIGKILL)");
  EXPECT_LT(Clock::now() - start, 2s * test::patience);
}

TEST(ChildProcess, WhatItsLeaderStartedHasTheSameTimeToEnd) {
  // Like srun started by a shell: the shell ends at once, the job needs a while to cancel.
  const test::TemporaryFolder folder;
  const std::string word = (folder.path() / "word").string();
  const std::string job = "trap 'sleep 0.3; echo cancelled >" + word +
                          "; exit' TERM; echo ready; while :; do sleep 0.02; done";
  ChildProcess child(shell("(" + job + ") & wait"));
  EXPECT_EQ(read_line(child.stdout_fd()), "ready");
  EXPECT_EQ(child.end({20ms, 20s}), "signal 15 (SIGTERM)");
  EXPECT_TRUE(std::filesystem::exists(word));
}

TEST(ChildProcess, WhatItStillWritesDoesNotKeepItFromEnding) {
  ChildProcess child(shell("cat >/dev/null; head -c 1000000 /dev/zero; exit 7"));
  EXPECT_EQ(child.end(patient), "exit code 7");
}

TEST(ChildProcess, MayBeAskedToEndAndNotKilledWhenItsParentEnds) {
  std::unique_ptr<ChildProcess> child;
  std::thread([&] {
    ChildOptions options;
    options.signal_at_parents_end = SIGTERM;
    child = std::make_unique<ChildProcess>(
        shell("trap 'exit 8' TERM; echo ready; while :; do sleep 0.02; done"), options);
    EXPECT_EQ(read_line(child->stdout_fd()), "ready");
  }).join();
  EXPECT_EQ(child->wait(), "exit code 8");
}

TEST(ChildProcess, SeesTheSignalsThatTheParentIgnoresOrBlocks) {
  std::signal(SIGPIPE, SIG_IGN);
  ChildProcess child(shell("kill -PIPE $$; exit 0"));
  EXPECT_EQ(child.wait(), "signal 13 (SIGPIPE)");
}

TEST(ChildProcess, DiesWithTheThreadThatMadeIt) {
  std::unique_ptr<ChildProcess> child;
  std::thread([&] { child = std::make_unique<ChildProcess>(shell("sleep 100")); }).join();
  EXPECT_EQ(child->wait(), "signal 9 (SIGKILL)");
}

}  // namespace
}  // namespace gtune
