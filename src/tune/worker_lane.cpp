#include "tune/worker_lane.hpp"

namespace gtune {

WorkerLane::WorkerLane(const WorkerCommand& command, WorkerTerms terms,
                       OutputTail::LineListener say, WorkerSession::RequestListener on_request)
    : m_session(command, until_ended(std::move(terms)), std::move(say), std::move(on_request)),
      m_thread([this] { work(); }) {}

WorkerTerms WorkerLane::until_ended(WorkerTerms terms) const {
  terms.interrupted = [this, interrupted = std::move(terms.interrupted)] {
    return m_ending || interrupted();
  };
  return terms;
}

WorkerLane::~WorkerLane() {
  {
    const std::lock_guard lock(m_mutex);
    m_ending = true;
    m_jobs.clear();
  }
  m_posted.notify_one();
  m_thread.join();
}

void WorkerLane::post(Job job) {
  {
    const std::lock_guard lock(m_mutex);
    m_jobs.push_back(std::move(job));
  }
  m_posted.notify_one();
}

void WorkerLane::forget_waiting() {
  const std::lock_guard lock(m_mutex);
  m_jobs.clear();
}

void WorkerLane::work() {
  for (;;) {
    Job job;
    {
      std::unique_lock lock(m_mutex);
      m_posted.wait(lock, [this] { return m_ending || !m_jobs.empty(); });
      if (m_ending) return;
      job = std::move(m_jobs.front());
      m_jobs.pop_front();
    }
    job(m_session);
  }
}

}  // namespace gtune
