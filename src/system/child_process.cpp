#include "system/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>

#include "model/error.hpp"
#include "system/exit_text.hpp"
#include "system/open_file_limit.hpp"

namespace gtune {
namespace {

struct Pipe {
  FileDescriptor reading;
  FileDescriptor writing;
};

Pipe make_pipe() {
  // Close-on-exec from the start, because another thread may be starting a child right now.
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    const int error = errno;
    throw UserError(ExitCode::failed,
                    std::string("cannot make a pipe: ") + std::strerror(error) +
                        (error == EMFILE ? "; raise the limit on open files (ulimit -n)" : ""));
  }
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// The child's work between vfork and exec. Only system calls are allowed: it runs in the parent's
/// memory, and other threads of the parent may hold any lock.
struct ChildStart {
  char* const* argv = nullptr;
  pid_t parent = 0;
  int in = -1;
  int out = -1;
  int err = -1;
  int failure = -1;  // receives errno if exec fails
  int signal_at_parents_end = 0;
  std::optional<rlimit> open_files;

  [[noreturn]] void run() const {
    if (connect()) execvp(argv[0], argv);
    const int code = errno;
    [[maybe_unused]] const auto written = write(failure, &code, sizeof code);
    _exit(127);
  }

  [[nodiscard]] bool connect() const {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, signal_at_parents_end);
    if (getppid() != parent) _exit(127);  // the parent died before prctl
    if (open_files) setrlimit(RLIMIT_NOFILE, &*open_files);
    reset_handlers();
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    return move_to(in, STDIN_FILENO) && move_to(out, STDOUT_FILENO) && move_to(err, STDERR_FILENO);
  }

  /// Before signals are let through: a handler would run in the parent's memory. Signals that the
  /// parent ignores stay so, but for SIGPIPE.
  static void reset_handlers() {
    for (int number = 1; number < NSIG; ++number) {
      struct sigaction action {};
      if (sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
      signal(number, SIG_DFL);
    }
    signal(SIGPIPE, SIG_DFL);
  }

  static bool move_to(int fd, int target) {
    if (fd == target) return fcntl(fd, F_SETFD, 0) == 0;  // dup2 would leave it close-on-exec
    return dup2(fd, target) == target;
  }
};

/// Starts the child in a process of its own; returns its number, or -1. The child shares the memory
/// until exec: fork would copy the page tables, which takes tens of milliseconds with many workers.
/// Signals are blocked meanwhile: a handler in the child would change the parent's memory.
[[gnu::noinline]] pid_t start_child(const ChildStart& start) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid =
      vfork();  // NOLINT(*-vfork,bugprone-unsafe-functions): posix_spawn cannot do run()'s work
  if (pid == 0) start.run();
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

/// One child starts at a time, so that descriptors of unused pipe ends do not add up. Until its
/// exec is done, others wait.
std::mutex& one_start() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, ChildOptions options) {
  const std::scoped_lock lock(one_start());
  Pipe in = make_pipe();
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  Pipe failure = make_pipe();
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const ChildStart start{argv.data(),
                         getpid(),
                         in.reading.get(),
                         out.writing.get(),
                         err.writing.get(),
                         failure.writing.get(),
                         options.signal_at_parents_end,
                         original_open_file_limit()};
  m_pid = start_child(start);
  if (m_pid < 0) {
    throw UserError(ExitCode::failed,
                    "cannot start '" + command.front() + "': " + std::strerror(errno));
  }
  failure.writing.reset();
  int code = 0;
  ssize_t count = 0;
  do {  // returns 0 bytes once exec closes the pipe
    count = read(failure.reading.get(), &code, sizeof code);
  } while (count < 0 && errno == EINTR);
  if (count > 0) {
    wait();
    throw UserError(ExitCode::failed,
                    "cannot start '" + command.front() + "': " + std::strerror(code));
  }
  m_stdin = std::move(in.writing);
  m_stdout = std::move(out.reading);
  try {
    m_stderr = std::make_unique<OutputTail>(std::move(err.reading), std::move(options.on_stderr));
  } catch (...) {  // the destructor will not run
    kill();
    wait();
    throw;
  }
}

ChildProcess::~ChildProcess() {
  kill();
  wait();
}

void ChildProcess::kill() {
  if (m_end.empty()) ::kill(-m_pid, SIGKILL);
}

bool ChildProcess::group_is_there() {
  int status = 0;
  if (m_end.empty() && waitpid(m_pid, &status, WNOHANG) == m_pid) m_end = exit_text(status);
  // Members may outlive their leader. While any exists, the kernel does not reuse the group's ID.
  return m_end.empty() || ::kill(-m_pid, 0) == 0;
}

void ChildProcess::read_over_output(std::chrono::milliseconds limit) {
  pollfd ready{m_stdout.get(), POLLIN, 0};
  if (m_stdout.get() < 0 || poll(&ready, 1, static_cast<int>(limit.count())) <= 0) return;
  std::array<char, 4096> piece{};
  if (read(m_stdout.get(), piece.data(), piece.size()) == 0) m_stdout.reset();
}

bool ChildProcess::ends_within(std::chrono::milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  constexpr auto nap = std::chrono::milliseconds(10);
  const auto deadline = Clock::now() + limit;
  while (group_is_there()) {
    if (Clock::now() >= deadline) return false;
    if (m_stdout.get() >= 0) {
      read_over_output(nap);  // a process blocked on a full pipe cannot end
    } else {
      std::this_thread::sleep_for(nap);
    }
  }
  return true;
}

std::string ChildProcess::end(const EndPatience& patience) {
  constexpr auto after_sigkill = std::chrono::seconds(1);
  if (!m_end.empty()) return m_end;
  close_stdin();
  if (ends_within(patience.after_end_of_input)) return m_end;
  ::kill(-m_pid, SIGTERM);
  if (ends_within(patience.after_sigterm)) return m_end;
  ::kill(-m_pid, SIGKILL);
  // A process inside a system call, such as one of a GPU driver, may outlive even that.
  if (!ends_within(after_sigkill) && m_end.empty()) m_end = "not even ended by SIGKILL";
  return m_end;
}

std::string ChildProcess::wait() {
  if (!m_end.empty()) return m_end;
  int status = 0;
  while (waitpid(m_pid, &status, 0) < 0) {
    if (errno != EINTR) return m_end = "no exit status";
  }
  return m_end = exit_text(status);
}

std::string ChildProcess::last_stderr_line() {
  std::string text = stderr_tail();
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text.substr(text.find_last_of('\n') + 1);
}

}  // namespace gtune
