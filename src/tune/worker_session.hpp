#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "worker/gpu_lock.hpp"
#include "worker/worker_client.hpp"

namespace gtune {

/// A request that a worker was busy with.
struct WorkerRequest {
  const char* kind = "";  // "open_problem", "measure", ...
  std::string detail;     // a configuration, a baseline's name or a problem
  std::chrono::steady_clock::time_point begin;
  std::chrono::steady_clock::time_point end;
  double check_ms = 0;  // of a measurement: the part before the timing
};

/// What the workers of a run are told and granted.
struct WorkerTerms {
  WorkerLimits limits;
  KernelIdentity kernel;  // what the tuner's files are
  IfHeld if_gpu_held = IfHeld::wait;
  std::function<bool()> interrupted;
};

/// A worker that outlives its processes: after a loss the next request starts a new one, or opens
/// the link to it again, and brings it to the same state.
class WorkerSession {
 public:
  using RequestListener = std::function<void(const WorkerRequest&)>;

  /// `say` gets lines that the user should see, from several threads; `on_request` what has been
  /// served.
  WorkerSession(const WorkerCommand& command, WorkerTerms terms, OutputTail::LineListener say,
                RequestListener on_request);

  /// Who answers. Throws UserError where no worker comes up.
  HelloReply connect();
  PrepareReply prepare(Prepare request);
  void open_problem(OpenProblem request);
  /// A lost worker is a reply like any other: its status and reason say what happened. Throws
  /// UserError where workers were lost again and again with nothing measured in between.
  MeasureReply measure(const Measure& request);

  /// A lost worker is a reply like any other here as well. Throws UserError where none comes up.
  ProfileReply profile(const Profile& request);

  /// To be called every `keep_alive_interval` where nothing else is: a worker at the far end of a
  /// link ends where it hears nothing.
  void keep_alive() { m_client.keep_alive(); }
  [[nodiscard]] std::chrono::milliseconds keep_alive_interval() const {
    return std::max(m_terms.limits.silence / 12, std::chrono::milliseconds(1));
  }
  /// Ends the worker's process; see WorkerClient for how long that takes.
  void end() { m_client.end(); }

  [[nodiscard]] int workers_lost() const { return m_lost; }

 private:
  /// Retries `step` on fresh workers, since a single failed start says little. Links are waited
  /// for longer each time.
  template <typename Step>
  auto persist(Step step);
  void restore();
  /// Sends a request, and tells the listener of it.
  template <typename Send>
  auto timed(const char* kind, std::string detail, Send send);
  [[nodiscard]] Hello greeting() const;
  [[nodiscard]] bool may_be_our_own() const;
  void note_loss(const std::string& reason);
  /// Starts a process; returns when the GPU is its own.
  HelloReply greet();
  void require_the_same(const HelloReply& reply) const;
  void pause(std::chrono::milliseconds duration) const;

  WorkerCommand m_command;
  WorkerTerms m_terms;
  OutputTail::LineListener m_say;
  RequestListener m_on_request;
  WorkerClient m_client;
  std::optional<HelloReply> m_first;  // who answered at first
  std::optional<Prepare> m_prepare;
  std::optional<OpenProblem> m_problem;
  std::atomic<int> m_lost = 0;
  int m_lost_in_a_row = 0;
  std::string m_last_loss;
  std::chrono::steady_clock::time_point m_lost_at;
};

}  // namespace gtune
