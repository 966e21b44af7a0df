#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "worker/messages.hpp"
#include "worker/possible_reply.hpp"
#include "worker/worker_limits.hpp"

namespace gtune {

/// The worker died, hung or sent an invalid reply. The text says which, in one line.
class WorkerLost : public std::runtime_error {
 public:
  WorkerLost(Status status, const std::string& reason)
      : std::runtime_error(reason), m_status(status) {}
  /// timeout if it was killed for being silent, otherwise crashed.
  [[nodiscard]] Status status() const { return m_status; }

 private:
  Status m_status;
};

/// The user asked to stop while gtune waited for a worker or a GPU.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// How a worker is reached.
struct WorkerCommand {
  std::string name;  // for messages: "device 1"
  std::vector<std::string> argv;
  /// argv is a shell whose last argument is its command line, a launcher that carries the pipe:
  /// ssh, srun, kubectl exec.
  bool remote = false;
};

/// The tuner's end of a conversation with one worker: with a process over a pipe, or in tests with
/// a backend in the same process. After WorkerLost there is no worker; `start` makes a new one.
class WorkerConnection {
 public:
  explicit WorkerConnection(WorkerLimits limits) : m_limits(limits) {}
  virtual ~WorkerConnection() = default;
  WorkerConnection(const WorkerConnection&) = delete;
  WorkerConnection& operator=(const WorkerConnection&) = delete;

  /// Starts a fresh worker; ends the previous one.
  virtual void start() = 0;
  virtual void end() = 0;
  /// Sends a ping to a remote worker if one is due. Must be called often while no request is in
  /// progress; never waits.
  virtual void keep_alive() = 0;
  [[nodiscard]] virtual bool running() const = 0;

  /// Sends one request and waits for its reply. Throws WorkerLost, Interrupted, and UserError if
  /// the worker replies with an error, or with something impossible.
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

 protected:
  /// The reply is of `reply_kind`.
  virtual Message exchange(Message request, std::chrono::milliseconds limit,
                           std::string_view reply_kind) = 0;
  /// The last output of a worker that is about to end, apart from its replies; may be empty.
  [[nodiscard]] virtual std::string last_words() const = 0;

  const WorkerLimits m_limits;

 private:
  /// Ends a worker that has announced its end.
  template <typename Reply>
  void end_lost(Reply& reply) {
    const std::string said = last_words();
    if constexpr (requires { reply.status; }) {
      if (reply.status == Status::crashed && !said.empty()) reply.reason += "; it said: " + said;
    }
    end();
  }
};

}  // namespace gtune
