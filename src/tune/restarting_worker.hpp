#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "worker/gpu_lock.hpp"
#include "worker/worker_client.hpp"

namespace gtune {

/// A request that a worker was busy with.
struct WorkerRequest {
  std::string_view kind;  // "open_problem", "measure", ...
  std::string detail;     // a configuration, a baseline's name or a problem
  std::chrono::steady_clock::time_point begin;
  std::chrono::steady_clock::time_point end;
  double check_ms = 0;  // only of a measurement: the time before the timing
};

/// Makes the connection to a worker; see connect_to_process.
using Connector = std::function<std::unique_ptr<WorkerConnection>(
    const WorkerCommand&, const WorkerLimits&, std::function<bool()> interrupted,
    OutputTail::LineListener say)>;

/// Settings for the workers of a run.
struct WorkerTerms {
  WorkerLimits limits;
  KernelIdentity kernel;  // of the tuner's files
  IfHeld if_gpu_held = IfHeld::wait;
  std::function<bool()> interrupted;
  Connector connect = connect_to_process;
};

/// A worker that survives the loss of its process: the next request starts a new process, or
/// reopens the link to it, and restores its state. Source lines are sampled in a process of their
/// own: one that has counted metrics does not begin to, and one that has sampled does nothing else.
class RestartingWorker {
 public:
  using RequestListener = std::function<void(const WorkerRequest&)>;

  /// `say` receives lines for the user, from several threads; `on_request` receives every request
  /// that was served.
  RestartingWorker(const WorkerCommand& command, WorkerTerms terms, OutputTail::LineListener say,
                   RequestListener on_request);

  /// Starts the worker and returns its greeting. Throws UserError if no worker starts.
  HelloReply connect();
  /// Requests that set the worker's state are repeated until answered, and for every new process.
  PrepareReply ask(Prepare request);
  OpenProblemReply ask(OpenProblem request);
  /// Requests that may crash the worker are sent once. A lost worker gives a reply too: its reason,
  /// and its status if it has one, say what happened. Throws UserError if no worker starts.
  template <MayLoseWorker Request>
  typename Request::Reply ask(const Request& request) {
    return ask_once(request);
  }
  /// Also throws UserError if workers are lost repeatedly without any measurement in between.
  MeasureReply ask(const Measure& request);

  /// Must be called every `keep_alive_interval` if no request is sent: a worker at the far end of a
  /// link ends if it receives nothing.
  void keep_alive() { m_connection->keep_alive(); }
  [[nodiscard]] std::chrono::milliseconds keep_alive_interval() const {
    return std::max(m_terms.limits.silence / 12, std::chrono::milliseconds(1));
  }
  /// Ends the worker's process; see WorkerClient for how long that takes.
  void end() { m_connection->end(); }

  [[nodiscard]] int workers_lost() const { return m_lost; }

 private:
  /// What a profiler was used for in the process.
  enum class ProcessUse { none, counting, sampling };

  /// Retries `step` on new workers, since one failed start says little. Pauses for links grow.
  template <typename Step>
  auto persist(Step step);
  /// Makes sure that a process runs in the state of the previous one.
  void bring_up();
  /// Ends a process that a profiler made unfit for the request.
  template <typename Request>
  void end_unfit() {
    constexpr bool samples = std::is_same_v<Request, SampleLines>;
    if (m_use == (samples ? ProcessUse::counting : ProcessUse::sampling)) renew();
  }
  void renew();
  void restore();
  /// Sends a request and reports it to the listener.
  template <typename Request>
  typename Request::Reply timed(const Request& request) {
    WorkerRequest served{Request::kind, request.subject(), std::chrono::steady_clock::now(), {}, 0};
    typename Request::Reply reply = m_connection->ask(request);
    served.end = std::chrono::steady_clock::now();
    if constexpr (requires { reply.check_ms; }) served.check_ms = reply.check_ms;
    m_on_request(served);
    return reply;
  }
  template <typename Request>
  typename Request::Reply ask_once(const Request& request) {
    end_unfit<Request>();
    bring_up();  // an earlier loss is not this request's fault
    if constexpr (std::is_same_v<Request, SampleLines>) m_use = ProcessUse::sampling;
    if constexpr (std::is_same_v<Request, Profile>) m_use = ProcessUse::counting;
    typename Request::Reply reply;
    try {
      reply = timed(request);
    } catch (const WorkerLost& lost) {
      if constexpr (requires { reply.status; }) reply.status = lost.status();
      reply.reason = lost.what();
      reply.worker_lost = true;
    }
    if (reply.worker_lost) note_loss(reply.reason);
    return reply;
  }
  [[nodiscard]] Hello greeting() const;
  [[nodiscard]] bool may_be_our_own() const;
  void note_loss(const std::string& reason);
  /// Starts a process; returns when it holds the GPU.
  HelloReply greet();
  void require_the_same(const HelloReply& reply) const;
  void pause(std::chrono::milliseconds duration) const;

  WorkerCommand m_command;
  WorkerTerms m_terms;
  OutputTail::LineListener m_say;
  RequestListener m_on_request;
  std::unique_ptr<WorkerConnection> m_connection;
  std::optional<HelloReply> m_first;  // the first process's greeting
  std::optional<Prepare> m_prepare;
  std::optional<OpenProblem> m_problem;
  std::atomic<int> m_lost = 0;
  int m_lost_in_a_row = 0;
  ProcessUse m_use = ProcessUse::none;
  bool m_renewed = false;  // the process was ended on purpose
  std::string m_last_loss;
  std::chrono::steady_clock::time_point m_lost_at;
};

}  // namespace gtune
