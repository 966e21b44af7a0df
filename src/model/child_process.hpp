#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "model/file_descriptor.hpp"
#include "model/output_tail.hpp"

namespace gtune {

/// A child process with pipes to its standard input, output and error. It leads a process group
/// of its own, so that Ctrl-C in a terminal reaches only the parent, and it is killed when the
/// thread that made it ends: make it in a thread that lives at least as long.
/// Not for use by several threads at once.
class ChildProcess {
 public:
  /// Starts `command` (argv; looked up in PATH). Throws UserError where that is not possible.
  /// `on_stderr` gets each line that it writes to standard error, in another thread.
  explicit ChildProcess(const std::vector<std::string>& command,
                        OutputTail::LineListener on_stderr = {});
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
  /// Waits for the end and says how it came: "exit code 3", "signal 11 (SIGSEGV)".
  std::string wait();
  /// The last 4 KiB that it wrote to standard error.
  [[nodiscard]] std::string stderr_tail() { return m_stderr->text(); }
  /// The last line of that, for a message; empty where it said nothing.
  [[nodiscard]] std::string last_stderr_line();

 private:
  pid_t m_pid = -1;
  std::string m_end;  // how it ended; empty until it was waited for
  FileDescriptor m_stdin;
  FileDescriptor m_stdout;
  std::unique_ptr<OutputTail> m_stderr;
};

}  // namespace gtune
