#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "worker/worker_client.hpp"

namespace gtune {

/// A worker that outlives its processes: after a loss the next request starts a new one and
/// brings it to the same state.
class WorkerSession {
 public:
  WorkerSession(const WorkerCommand& command, WorkerLimits limits,
                std::function<bool()> interrupted)
      : m_client(command.argv, limits, std::move(interrupted)) {}

  /// Who answers. Throws UserError where no worker comes up.
  HelloReply connect();
  PrepareReply prepare(Prepare request);
  void open_problem(OpenProblem request);
  /// A lost worker is a reply like any other: its status and reason say what happened. Throws
  /// UserError where workers were lost again and again with nothing measured in between.
  MeasureReply measure(const Measure& request);

  /// A lost worker is a reply like any other here as well. Throws UserError where none comes up.
  ProfileReply profile(const Profile& request);

  [[nodiscard]] int workers_lost() const { return m_lost; }

 private:
  /// Retries `step` on fresh workers, since a single failed start says little.
  template <typename Step>
  auto persist(Step step);
  void restore();

  WorkerClient m_client;
  std::optional<Prepare> m_prepare;
  std::optional<OpenProblem> m_problem;
  std::atomic<int> m_lost = 0;
  int m_lost_in_a_row = 0;
  std::string m_last_loss;
};

}  // namespace gtune
