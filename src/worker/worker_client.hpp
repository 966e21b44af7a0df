#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "system/child_process.hpp"
#include "worker/messages.hpp"
#include "worker/possible_reply.hpp"
#include "worker/shown_lines.hpp"
#include "worker/worker_limits.hpp"

namespace gtune {

/// The worker died, hung or talked nonsense. The text says which, in one line.
class WorkerLost : public std::runtime_error {
 public:
  WorkerLost(Status status, const std::string& reason)
      : std::runtime_error(reason), m_status(status) {}
  /// timeout where it had to be killed for being silent, else crashed.
  [[nodiscard]] Status status() const { return m_status; }

 private:
  Status m_status;
};

/// The user asked to stop while a worker was being waited for.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// How a worker is reached.
struct WorkerCommand {
  std::string name;  // for messages: "device 1"
  std::vector<std::string> argv;
  /// argv is a shell and, last, its command line: a launcher that carries the pipe: ssh, srun,
  /// kubectl exec.
  bool remote = false;
};

/// The tuner's end of the pipe to one worker process. After WorkerLost the process is dead;
/// `start` makes a new one. Ends its process within half a second, a launcher within eight.
class WorkerClient {
 public:
  /// `command`: argv of the worker. `interrupted` is polled while waiting.
  WorkerClient(std::vector<std::string> command, WorkerLimits limits,
               std::function<bool()> interrupted);

  /// The command is a launcher: what it prints before the worker speaks is read over. That and what
  /// comes on standard error goes to `say`, line by line and from other threads as well.
  void through_launcher(OutputTail::LineListener say);
  ~WorkerClient() { end(); }
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;

  /// Starts a fresh process; ends the one before.
  void start();
  /// Ends the process, politely where it is a launcher.
  void end();
  /// Tells a worker at the far end of a link that its tuner is still there, where that is due. To
  /// be called often where no request is under way; never waits.
  void keep_alive();
  [[nodiscard]] bool running() const { return m_process != nullptr; }

  /// Sends one request and waits for its reply. Throws WorkerLost, Interrupted, and the UserError
  /// that the worker answered with, or that says why its reply cannot be.
  template <typename Request>
  typename Request::Reply ask(const Request& request) {
    using Reply = typename Request::Reply;
    Message said = exchange(request, m_limits.of(request), Reply::kind);
    Reply reply = possible_reply(request, std::get<Reply>(std::move(said)));
    if constexpr (MayLoseWorker<Request>) {
      if (reply.worker_lost) end_lost(reply);
    }
    return reply;
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// The reply is of `reply_kind`.
  Message exchange(Message request, std::chrono::milliseconds limit, std::string_view reply_kind);
  /// Ends a process that has said that it ends.
  void end_lost(MeasureReply& reply);
  void end_lost(ProfileReply&) { end(); }
  void send(const Frame& frame, std::chrono::milliseconds limit);
  [[nodiscard]] Frame await_reply(std::chrono::milliseconds limit);
  /// Past a launcher's banner.
  [[nodiscard]] Frame await_first_reply(std::chrono::milliseconds limit);
  [[noreturn]] void give_up_silent(std::chrono::milliseconds limit);
  void remark_on_silence(std::chrono::milliseconds limit);
  /// Ends the process and throws WorkerLost with what it said last.
  [[noreturn]] void give_up(Status status, const std::string& reason);

  std::vector<std::string> m_command;
  WorkerLimits m_limits;
  std::function<bool()> m_interrupted;
  OutputTail::LineListener m_say;  // empty: the command is the worker itself
  std::unique_ptr<ShownLines> m_stderr_lines;
  bool m_spoken = false;    // the process has answered once
  bool m_remarked = false;  // that it has not
  Clock::time_point m_started;
  Clock::time_point m_last_sent;
  std::unique_ptr<ChildProcess> m_process;
};

}  // namespace gtune
