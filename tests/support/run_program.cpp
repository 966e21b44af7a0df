#include "support/run_program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace gtune::test {
namespace {

using Clock = std::chrono::steady_clock;

pid_t start(const std::vector<std::string>& argv, const std::vector<std::string>& environment,
            int out, int err) {
  const pid_t child = fork();
  if (child != 0) return child;
  setpgid(0, 0);
  for (const std::string& entry : environment) putenv(const_cast<char*>(entry.c_str()));
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  std::vector<char*> raw;
  for (const std::string& word : argv) raw.push_back(const_cast<char*>(word.c_str()));
  raw.push_back(nullptr);
  execv(raw[0], raw.data());
  _exit(127);
}

int temporary_file() {
  char name[] = "/tmp/gtune-test-XXXXXX";
  const int file = mkstemp(name);
  unlink(name);
  return file;
}

std::string contents(int file) {
  std::string text;
  char buffer[4096];
  ssize_t got = 0;
  lseek(file, 0, SEEK_SET);
  while ((got = read(file, buffer, sizeof buffer)) > 0) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  close(file);
  return text;
}

/// Returns false if the process is still running at the deadline.
bool wait_until(pid_t child, int& status, Clock::time_point deadline) {
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

ProgramResult result_of(int status, int out, int err) {
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, contents(out), contents(err)};
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& argv,
                          const std::vector<std::string>& environment, int limit_s) {
  const int out = temporary_file();
  const int err = temporary_file();
  const pid_t child = start(argv, environment, out, err);
  int status = 0;
  if (!wait_until(child, status, Clock::now() + std::chrono::seconds(limit_s))) {
    ADD_FAILURE() << argv[0] << " did not end within " << limit_s << " s";
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
  }
  return result_of(status, out, err);
}

bool run_and_kill(const std::vector<std::string>& argv, const std::vector<std::string>& environment,
                  int after_ms, int signal) {
  const int out = temporary_file();
  const int err = temporary_file();
  const pid_t child = start(argv, environment, out, err);
  int status = 0;
  const bool ended = wait_until(child, status, Clock::now() + std::chrono::milliseconds(after_ms));
  if (!ended) {
    kill(child, signal);
    waitpid(child, &status, 0);
  }
  close(out);
  close(err);
  return !ended;
}

ProgramResult run_and_kill_when(const std::vector<std::string>& argv,
                                const std::vector<std::string>& environment,
                                const std::function<bool()>& now, int signal, int times) {
  const int out = temporary_file();
  const int err = temporary_file();
  const pid_t child = start(argv, environment, out, err);
  int status = 0;
  const auto give_up = Clock::now() + std::chrono::seconds(120);
  bool ended = false;
  while (!ended && !now() && Clock::now() < give_up) {
    ended = wait_until(child, status, Clock::now() + std::chrono::milliseconds(20));
  }
  EXPECT_FALSE(ended) << argv[0] << " ended before its moment";
  if (!ended) {
    for (int sent = 0; sent < times; ++sent) {
      if (sent > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      kill(child, signal);
    }
    waitpid(child, &status, 0);
  }
  return result_of(status, out, err);
}

}  // namespace gtune::test
