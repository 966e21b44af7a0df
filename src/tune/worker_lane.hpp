#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>

#include "tune/restarting_worker.hpp"

namespace gtune {

/// A worker and its thread, which runs jobs one after another in the order of posting.
class WorkerLane {
 public:
  using Job = std::function<void(RestartingWorker&)>;

  WorkerLane(const WorkerCommand& command, WorkerTerms terms, OutputTail::LineListener say,
             RestartingWorker::RequestListener on_request);
  /// Ends the worker even if it is busy, and waits for its end.
  ~WorkerLane();
  WorkerLane(const WorkerLane&) = delete;
  WorkerLane& operator=(const WorkerLane&) = delete;

  /// Starts to end the worker and returns, so that several end in parallel. No further job starts.
  void begin_end();

  /// A job must not throw.
  void post(Job job);
  /// Drops the jobs that have not started.
  void forget_waiting();

  /// Posts `step`; the future has its result or exception.
  template <typename Step>
  auto call(Step step) {
    using Result = std::invoke_result_t<Step, RestartingWorker&>;
    auto task = std::make_shared<std::packaged_task<Result(RestartingWorker&)>>(std::move(step));
    auto result = task->get_future();
    post([task](RestartingWorker& worker) { (*task)(worker); });
    return result;
  }

  /// The number of lost processes; a running job may not have counted its own yet.
  [[nodiscard]] int workers_lost() const { return m_worker.workers_lost(); }

 private:
  void work();
  [[nodiscard]] std::optional<Job> next_job();
  [[nodiscard]] WorkerTerms until_ended(WorkerTerms terms) const;

  std::atomic<bool> m_ending = false;
  RestartingWorker m_worker;
  std::mutex m_mutex;
  std::condition_variable m_posted;
  std::deque<Job> m_jobs;
  std::thread m_thread;
};

}  // namespace gtune
