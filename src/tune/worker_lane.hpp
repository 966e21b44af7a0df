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

/// A worker and the thread that talks to it: does one job after the other, in the order in which
/// they were posted.
class WorkerLane {
 public:
  using Job = std::function<void(RestartingWorker&)>;

  WorkerLane(const WorkerCommand& command, WorkerTerms terms, OutputTail::LineListener say,
             RestartingWorker::RequestListener on_request);
  /// Ends the worker, whatever it is doing, and waits for that.
  ~WorkerLane();
  WorkerLane(const WorkerLane&) = delete;
  WorkerLane& operator=(const WorkerLane&) = delete;

  /// Begins to end the worker and returns at once: several end side by side. No job begins any
  /// more.
  void begin_end();

  /// A job must not throw.
  void post(Job job);
  /// Forgets the jobs that were not begun.
  void forget_waiting();

  /// Posts `step`; what it returns or throws is in the future.
  template <typename Step>
  auto call(Step step) {
    using Result = std::invoke_result_t<Step, RestartingWorker&>;
    auto task = std::make_shared<std::packaged_task<Result(RestartingWorker&)>>(std::move(step));
    auto result = task->get_future();
    post([task](RestartingWorker& worker) { (*task)(worker); });
    return result;
  }

  /// How many processes were lost; a job under way may not have counted yet.
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
