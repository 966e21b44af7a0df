#include "tune/worker_lane.hpp"

#include "system/start_thread.hpp"

namespace gtune {

WorkerLane::WorkerLane(const WorkerCommand& command, WorkerTerms terms,
                       OutputTail::LineListener say, RestartingWorker::RequestListener on_request)
    : m_worker(command, until_ended(std::move(terms)), std::move(say), std::move(on_request)),
      m_thread(start_thread<std::thread>([this] { work(); })) {}

WorkerTerms WorkerLane::until_ended(WorkerTerms terms) const {
  terms.interrupted = [this, interrupted = std::move(terms.interrupted)] {
    return m_ending || interrupted();
  };
  return terms;
}

WorkerLane::~WorkerLane() {
  begin_end();
  m_thread.join();
}

void WorkerLane::begin_end() {
  {
    const std::scoped_lock lock(m_mutex);
    m_ending = true;
    m_jobs.clear();
  }
  m_posted.notify_one();
}

void WorkerLane::post(Job job) {
  {
    const std::scoped_lock lock(m_mutex);
    m_jobs.push_back(std::move(job));
  }
  m_posted.notify_one();
}

void WorkerLane::forget_waiting() {
  const std::scoped_lock lock(m_mutex);
  m_jobs.clear();
}

void WorkerLane::work() {
  while (auto job = next_job()) (*job)(m_worker);
  m_worker.end();  // in parallel with others, on the thread that made the process
}

std::optional<WorkerLane::Job> WorkerLane::next_job() {
  std::unique_lock lock(m_mutex);
  const auto something = [this] { return m_ending || !m_jobs.empty(); };
  while (!m_posted.wait_for(lock, m_worker.keep_alive_interval(), something)) {
    lock.unlock();
    m_worker.keep_alive();
    lock.lock();
  }
  if (m_ending) return std::nullopt;
  Job job = std::move(m_jobs.front());
  m_jobs.pop_front();
  return job;
}

}  // namespace gtune
