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

/// How long each step of a child's end is waited for before the next, harder one.
struct EndPatience {
  std::chrono::milliseconds after_end_of_input;
  std::chrono::milliseconds after_sigterm;
};

struct ChildOptions {
  /// Gets each line that it writes to standard error, in another thread. May be empty.
  OutputTail::LineListener on_stderr;
  /// What it gets when the thread that made it ends, however that comes.
  int signal_at_parents_end = SIGKILL;
};

/// A child process with pipes to its standard input, output and error. It leads a process group
/// of its own, so that Ctrl-C in a terminal reaches only the parent, and it gets a signal when the
/// thread that made it ends: make it in a thread that lives at least as long.
/// Not for use by several threads at once.
class ChildProcess {
 public:
  /// Starts `command` (argv; looked up in PATH). Throws UserError where that is not possible.
  explicit ChildProcess(const std::vector<std::string>& command, ChildOptions options = {});
  /// Kills and reaps.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  [[nodiscard]] int stdin_fd() const { return m_stdin.get(); }
  [[nodiscard]] int stdout_fd() const { return m_stdout.get(); }
  [[nodiscard]] pid_t pid() const { return m_pid; }
  /// Lets the child see the end of its input.
  void close_stdin() { m_stdin.reset(); }

  /// Kills the whole group; without effect on a child that was waited for.
  void kill();
  /// Ends the whole group in steps: the end of its input, then SIGTERM, then SIGKILL. A launcher
  /// forwards the first two to the processes that it started elsewhere; killed, it would leave them
  /// running. Returns how the child itself ended.
  std::string end(const EndPatience& patience);
  /// Waits for the end and returns how it came: "exit code 3", "signal 11 (SIGSEGV)".
  std::string wait();
  /// The last 4 KiB that it wrote to standard error.
  [[nodiscard]] std::string stderr_tail() { return m_stderr->text(); }
  /// The last line of that, for a message; empty if there is none.
  [[nodiscard]] std::string last_stderr_line();

 private:
  /// Whether the whole group ends until then; discards what it still writes.
  bool ends_within(std::chrono::milliseconds limit);
  [[nodiscard]] bool group_is_there();
  void read_over_output(std::chrono::milliseconds limit);

  pid_t m_pid = -1;
  std::string m_end;  // how it ended; empty until it was waited for
  FileDescriptor m_stdin;
  FileDescriptor m_stdout;
  std::unique_ptr<OutputTail> m_stderr;
};

}  // namespace gtune
