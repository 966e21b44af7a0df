#include "system/program_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <thread>

#include "model/error.hpp"
#include "system/exit_text.hpp"
#include "system/file_descriptor.hpp"

namespace gtune {
namespace {

using Clock = std::chrono::steady_clock;

/// Output beyond this is read and discarded.
constexpr std::size_t most_text_bytes = std::size_t{16} << 20;

/// The process's environment with these changes, as "NAME=value" each.
std::vector<std::string> changed_environment(
    const std::vector<std::pair<std::string, std::optional<std::string>>>& changes) {
  std::map<std::string, std::string> lines;  // by name
  for (char** line = environ; *line != nullptr; ++line) {
    const std::string text = *line;
    lines[text.substr(0, text.find('='))] = text;
  }
  for (const auto& [name, value] : changes) {
    lines.erase(name);
    if (value) lines[name] = name + '=' + *value;
  }
  std::vector<std::string> all;
  for (auto& [name, line] : lines) all.push_back(std::move(line));
  return all;
}

/// A null-terminated argv or envp. Refers to `texts`.
std::vector<char*> c_strings(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

/// How a program starts: default signals, output into a pipe, empty input.
class SpawnPlan {
 public:
  SpawnPlan(int output, bool own_group, bool reads_errors) {
    posix_spawn_file_actions_init(&m_files);
    posix_spawn_file_actions_addopen(&m_files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&m_files, output, STDOUT_FILENO);
    if (reads_errors) {
      posix_spawn_file_actions_adddup2(&m_files, output, STDERR_FILENO);
    } else {
      posix_spawn_file_actions_addopen(&m_files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    posix_spawnattr_init(&m_attributes);
    sigset_t none;
    sigset_t usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigmask(&m_attributes, &none);
    posix_spawnattr_setsigdefault(&m_attributes, &usual);
    const int group = own_group ? POSIX_SPAWN_SETPGROUP : 0;
    posix_spawnattr_setflags(
        &m_attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&m_files);
    posix_spawnattr_destroy(&m_attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  [[nodiscard]] pid_t start(const ProgramStart& program) const {
    const std::vector<std::string> lines = changed_environment(program.environment);
    const std::vector<char*> argv = c_strings(program.command);
    pid_t pid = -1;
    const int code =
        posix_spawnp(&pid, argv[0], &m_files, &m_attributes, argv.data(), c_strings(lines).data());
    if (code == 0) return pid;
    throw UserError(ExitCode::failed,
                    "cannot start '" + program.command.front() + "': " + std::strerror(code));
  }

 private:
  posix_spawn_file_actions_t m_files{};
  posix_spawnattr_t m_attributes{};
};

/// False if the deadline `until` passes first.
bool wait_for_output(int fd, std::optional<Clock::time_point> until) {
  for (;;) {
    int wait_ms = -1;
    if (until) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(*until - Clock::now());
      wait_ms = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    }
    pollfd ready{fd, POLLIN, 0};
    const int count = poll(&ready, 1, wait_ms);
    if (count > 0) return true;
    if (count == 0) return false;
    if (errno != EINTR) return true;  // read will report the error
  }
}

/// Reads until every process has closed the pipe; false if the deadline `until` passes first.
bool read_all(int fd, std::optional<Clock::time_point> until, std::string& text) {
  std::array<char, std::size_t{1} << 14> piece{};
  while (wait_for_output(fd, until)) {
    const ssize_t count = read(fd, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    const std::size_t room = most_text_bytes - text.size();
    text.append(piece.data(), std::min(static_cast<std::size_t>(count), room));
  }
  return false;
}

/// Waits for a process that has closed its output, and so is about to end. Does not reap it.
bool ends_until(pid_t pid, std::optional<Clock::time_point> until) {
  for (;;) {
    siginfo_t info{};
    const int options = WEXITED | WNOWAIT | (until ? WNOHANG : 0);
    if (waitid(P_PID, static_cast<id_t>(pid), &info, options) != 0 && errno != EINTR) return true;
    if (info.si_pid == pid) return true;
    if (until && Clock::now() >= *until) return false;
    if (until) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

ProgramOutput run_to_end(const ProgramStart& start) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw UserError(ExitCode::failed, std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  const FileDescriptor reading(ends[0]);
  FileDescriptor writing(ends[1]);
  std::optional<Clock::time_point> until;
  if (start.limit) until = Clock::now() + *start.limit;
  const pid_t pid =
      SpawnPlan(writing.get(), start.limit.has_value(), start.reads_errors).start(start);
  writing.reset();
  ProgramOutput output;
  const bool in_time = read_all(reading.get(), until, output.text) && ends_until(pid, until);
  if (!in_time) kill(-pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return output;
  }
  output.end = exit_text(status);
  if (!in_time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*start.limit).count();
    output.end = "it took more than " + std::to_string(seconds) + " s";
  }
  output.succeeded = in_time && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return output;
}

}  // namespace gtune
