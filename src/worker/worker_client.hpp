#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/child_process.hpp"
#include "worker/messages.hpp"

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

/// How long a silent worker is waited for before it is killed.
struct WorkerLimits {
  std::chrono::milliseconds start = std::chrono::seconds(120);  // the driver may be slow to wake
  std::chrono::milliseconds open_problem = std::chrono::seconds(300);
  std::chrono::milliseconds profile = std::chrono::seconds(300);
  std::chrono::milliseconds grace = std::chrono::seconds(10);  // beyond what a kernel may take
};

/// How a worker is reached.
struct WorkerCommand {
  std::string name;  // for messages: "device 1"
  std::vector<std::string> argv;
};

/// The tuner's end of the pipe to one worker process. After WorkerLost the process is dead;
/// `start` makes a new one.
class WorkerClient {
 public:
  /// `command`: argv of the worker. `interrupted` is polled while waiting.
  WorkerClient(std::vector<std::string> command, WorkerLimits limits,
               std::function<bool()> interrupted);

  /// Starts a fresh process; ends the one before.
  void start();
  [[nodiscard]] bool running() const { return m_process != nullptr; }

  /// Each sends one request and waits for its reply. Throws WorkerLost, Interrupted, and the
  /// UserError that the worker answered with.
  HelloReply hello();
  PrepareReply prepare(const Prepare& request);
  OpenProblemReply open_problem(const OpenProblem& request);
  MeasureReply measure(const Measure& request);
  ProfileReply profile(const Profile& request);

 private:
  template <typename Reply, typename Request>
  Reply exchange(const Request& request, std::chrono::milliseconds limit);
  [[nodiscard]] Frame await_reply(std::chrono::milliseconds limit);
  [[nodiscard]] std::chrono::milliseconds measure_limit(const Measure& request) const;
  /// Kills the process and throws WorkerLost with what it said last.
  [[noreturn]] void give_up(Status status, const std::string& reason);

  std::vector<std::string> m_command;
  WorkerLimits m_limits;
  std::function<bool()> m_interrupted;
  std::unique_ptr<ChildProcess> m_process;
};

}  // namespace gtune
