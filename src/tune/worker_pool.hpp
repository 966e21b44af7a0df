#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/error.hpp"
#include "store/ids.hpp"
#include "tune/observer.hpp"
#include "tune/trace.hpp"
#include "tune/wakeup.hpp"
#include "tune/worker_lane.hpp"

namespace gtune {

/// The lead dropped out; measurements that need a single device start again on the next lead.
class LeadLost : public UserError {
 public:
  using UserError::UserError;
};

/// The workers of a run, one device each. A worker that cannot be restarted drops out with a note
/// and the run continues with the others; if the last one fails, so does the run. The first
/// remaining worker is the lead: only it takes measurements that are compared closely. Not for use
/// by several threads.
class WorkerPool {
 public:
  struct Member {
    WorkerCommand command;
    DeviceFacts device;
    DeviceId device_id{};
    std::unique_ptr<WorkerLane> lane;  // null: dropped out
    int lost = 0;                      // processes lost before it dropped out
    Trace::Clock::time_point gone;     // when it dropped out
    bool measures_energy = false;      // as its worker said
  };

  /// How busy each worker has been since a moment.
  struct Usage {
    Trace::Clock::time_point since;
    std::vector<double> busy_s;
  };

  /// A finished measurement.
  struct Outcome {
    std::size_t worker = 0;
    std::uint64_t ticket = 0;
    std::optional<MeasureReply> reply;  // absent: the worker failed permanently
    std::exception_ptr failure;         // set if `reply` is absent
  };

  /// Rings `wakeup` for each outcome.
  WorkerPool(const std::vector<WorkerCommand>& commands, const WorkerTerms& terms,
             RunObserver& observer, Wakeup& wakeup, Trace* trace);
  ~WorkerPool();

  [[nodiscard]] const std::vector<Member>& members() const { return m_members; }
  [[nodiscard]] Member& lead() { return m_members[m_lead]; }
  [[nodiscard]] const Member& lead() const { return m_members[m_lead]; }
  [[nodiscard]] std::size_t lead_number() const { return m_lead; }
  [[nodiscard]] std::size_t left() const;
  /// The device of any member, even if it dropped out.
  [[nodiscard]] const DeviceFacts& device_of(DeviceId id) const;
  [[nodiscard]] int workers_lost() const;

  /// Calls `step(worker, member)` for all in parallel, each in its own thread, and waits. Workers
  /// for which it throws drop out. Rethrows the user's mistakes.
  template <typename Step>
  void on_all(const Step& step) {
    std::vector<std::pair<std::size_t, std::future<void>>> calls;
    for (std::size_t i = 0; i < m_members.size(); ++i) {
      Member* member = &m_members[i];
      if (!member->lane) continue;
      calls.emplace_back(i, member->lane->call([member, &step](RestartingWorker& worker) {
        step(worker, *member);
      }));
    }
    wait_for_all(calls);
  }

  /// Calls `step(member)` for each remaining worker in turn, on this thread.
  template <typename Step>
  void on_each(const Step& step) {
    for (Member& member : m_members) {
      if (member.lane) step(member);
    }
  }

  /// Calls `step(worker)` on the lead and waits. Throws LeadLost if the lead drops out.
  template <typename Step>
  auto on_lead(Step step) {
    auto result = lead().lane->call(std::move(step));
    wait_for(result);
    try {
      return result.get();
    } catch (const UserError& error) {
      drop(m_lead, std::current_exception());
      throw LeadLost(error.code(), error.what());
    }
  }

  /// Measures in the background after the worker's earlier jobs. Returns the outcome's ticket.
  std::uint64_t submit(std::size_t worker, Measure request);
  /// Drops submitted jobs that have not started; they will have no outcome.
  void forget_waiting();
  [[nodiscard]] std::optional<Outcome> next_outcome();

  [[nodiscard]] Usage usage() const;
  /// Mean share of the time since `before` in which a worker was busy, over the workers that
  /// existed then.
  [[nodiscard]] double busy_share(const Usage& before) const;

  /// Drops a worker. Rethrows `failure` if no worker is left, or if the mistake is the user's.
  void drop(std::size_t worker, const std::exception_ptr& failure);

 private:
  /// Reports the workers' lines while it waits.
  template <typename Result>
  void wait_for(const std::future<Result>& result) {
    while (result.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) tell();
    tell();
  }
  void tell();
  void note_request(std::size_t worker, const WorkerRequest& request);
  void say(const std::string& line);
  void wait_for_all(std::vector<std::pair<std::size_t, std::future<void>>>& calls);
  void finish(Outcome outcome);

  RunObserver& m_observer;
  Wakeup& m_wakeup;
  Trace* m_trace;
  mutable std::mutex m_mutex;  // guards what the workers' threads add
  std::deque<Outcome> m_outcomes;
  std::vector<std::string> m_said;
  std::vector<double> m_busy_s;  // by worker
  std::vector<Member> m_members;
  std::vector<std::unique_ptr<WorkerLane>> m_leaving;  // of workers that dropped out
  std::size_t m_lead = 0;
  std::uint64_t m_last_ticket = 0;
};

}  // namespace gtune
