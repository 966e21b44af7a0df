#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "system/file_descriptor.hpp"
#include "system/output_tail.hpp"

namespace gtune {

/// How long to wait after each step of ending a child, before the next and harder one.
struct EndPatience {
  std::chrono::milliseconds after_end_of_input;
  std::chrono::milliseconds after_sigterm;
};

struct ChildOptions {
  /// Receives each line of the child's standard error, usually in another thread. May be empty.
  OutputTail::LineListener on_stderr;
  /// The signal that the child gets when the thread that made it ends, for whatever reason.
  int signal_at_parents_end = SIGKILL;
};

/// A child process with pipes to its standard input, output and error. It leads its own process
/// group: Ctrl-C in a terminal reaches only the parent. It gets a signal when the thread that made
/// it ends, so make it in a thread that lives at least as long. Not thread-safe.
class ChildProcess {
 public:
  /// Starts `command` (argv; looked up in PATH). Throws UserError if that fails.
  explicit ChildProcess(const std::vector<std::string>& command, ChildOptions options = {});
  /// Kills the whole group and reaps the child.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  [[nodiscard]] int stdin_fd() const { return m_stdin.get(); }
  [[nodiscard]] int stdout_fd() const { return m_stdout.get(); }
  [[nodiscard]] pid_t pid() const { return m_pid; }
  /// Signals the end of the child's input.
  void close_stdin() { m_stdin.reset(); }

  /// Kills the whole group. Does nothing if the child was already waited for.
  void kill();
  /// Ends the whole group in steps: end of input, then SIGTERM, then SIGKILL. A launcher forwards
  /// the first two to processes that it started elsewhere; if it is killed, they keep running.
  /// Returns how the child itself ended.
  std::string end(const EndPatience& patience);
  /// Waits for the child and returns how it ended: "exit code 3", "signal 11 (SIGSEGV)".
  std::string wait();
  /// The last 4 KiB of its standard error.
  [[nodiscard]] std::string stderr_tail() { return m_stderr->text(); }
  /// The last line of stderr_tail(), for a message; empty if there is none.
  [[nodiscard]] std::string last_stderr_line();

 private:
  /// Whether the whole group ends within `limit`; discards its output meanwhile.
  bool ends_within(std::chrono::milliseconds limit);
  [[nodiscard]] bool group_is_there();
  void read_over_output(std::chrono::milliseconds limit);

  pid_t m_pid = -1;
  std::string m_end;  // how it ended; empty until waited for
  FileDescriptor m_stdin;
  FileDescriptor m_stdout;
  std::unique_ptr<OutputTail> m_stderr;
};

}  // namespace gtune
