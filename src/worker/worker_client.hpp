#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "system/child_process.hpp"
#include "worker/shown_lines.hpp"
#include "worker/worker_connection.hpp"

namespace gtune {

/// The tuner's end of the pipe to one worker process. After WorkerLost the process is dead; `start`
/// makes a new one. Ending a worker takes at most half a second, ending a launcher eight seconds.
class WorkerClient : public WorkerConnection {
 public:
  /// `command`: argv of the worker. `interrupted` is polled while waiting.
  WorkerClient(std::vector<std::string> command, WorkerLimits limits,
               std::function<bool()> interrupted);

  /// Declares that the command is a launcher: its output before the first frame is skipped. `say`
  /// gets that output and the lines of its standard error, also on other threads.
  void through_launcher(OutputTail::LineListener say);
  ~WorkerClient() override { WorkerClient::end(); }

  void start() override;
  /// Ends the process, a launcher in steps (see ChildProcess::end).
  void end() override;
  void keep_alive() override;
  [[nodiscard]] bool running() const override { return m_process != nullptr; }

 protected:
  Message exchange(Message request, std::chrono::milliseconds limit,
                   std::string_view reply_kind) override;
  [[nodiscard]] std::string last_words() const override;

 private:
  using Clock = std::chrono::steady_clock;

  void send(const Frame& frame, std::chrono::milliseconds limit);
  [[nodiscard]] Frame await_reply(std::chrono::milliseconds limit);
  /// Skips a launcher's banner.
  [[nodiscard]] Frame await_first_reply(std::chrono::milliseconds limit);
  [[noreturn]] void give_up_silent(std::chrono::milliseconds limit);
  void remark_on_silence(std::chrono::milliseconds limit);
  /// Ends the process and throws WorkerLost with its last output.
  [[noreturn]] void give_up(Status status, const std::string& reason);

  std::vector<std::string> m_command;
  std::function<bool()> m_interrupted;
  OutputTail::LineListener m_say;  // empty: the command is the worker itself
  std::unique_ptr<ShownLines> m_stderr_lines;
  bool m_spoken = false;    // the process has answered once
  bool m_remarked = false;  // the user knows that it has not
  Clock::time_point m_started;
  Clock::time_point m_last_sent;
  std::unique_ptr<ChildProcess> m_process;
};

/// A connection to the process of `command`. `say` gets a launcher's lines, on several threads.
[[nodiscard]] std::unique_ptr<WorkerConnection> connect_to_process(
    const WorkerCommand& command, const WorkerLimits& limits, std::function<bool()> interrupted,
    OutputTail::LineListener say);

}  // namespace gtune
