#include "tune/problem_state.hpp"

#include <algorithm>

#include "spec/evaluate.hpp"

namespace gtune {
namespace {

// A launch may take twenty times the best time; slower ones only waste time. If the limit is below
// half a second, waiting is faster than replacing the worker.
constexpr double limit_factor = 20;
constexpr double least_limit_ms = 500;

}  // namespace

ProblemState::ProblemState(const Environment& env, const RunSettings& run_settings,
                           Problem tune_problem, const SearchSpace& run_space,
                           MeasurementKey run_key, RunId run_id)
    : environment(env),
      settings(run_settings),
      problem(std::move(tune_problem)),
      space(run_space),
      run(run_id),
      clock(env.device().replayed),
      m_key(run_key) {
  m_progress.problem = problem;
  m_progress.budget_seconds = run_settings.budget.seconds;
}

double ProblemState::launch_limit_ms() const {
  if (!best_ms()) return settings.launch_limit_ms;
  return std::min(settings.launch_limit_ms, std::max(least_limit_ms, limit_factor * *best_ms()));
}

MeasurementId ProblemState::record(const Measurement& measurement, std::size_t worker) {
  MeasurementKey key = m_key;
  key.device = environment.workers.members()[worker].device_id;
  const MeasurementId id = environment.database.insert_measurement(run, key, measurement);
  clock.spend_ms(worker, measurement.gpu_ms);
  if (measurement.phase == Phase::search) count(measurement);
  environment.observer.on_measurement(measurement);
  return id;
}

void ProblemState::follow_lead() {
  const WorkerPool::Member& lead = environment.workers.lead();
  if (lead.device_id == m_key.device) return;
  m_key.device = lead.device_id;
  environment.database.set_run_device(run, lead.device_id);
}

void ProblemState::reuse(const Measurement& measurement) {
  ++m_progress.reused;
  count(measurement);
}

void ProblemState::count(const Measurement& measurement) {
  ++m_progress.done;
  ++m_progress.by_status[measurement.status];
  m_searched.push_back(measurement);
  race(measurement);
}

void ProblemState::race(const Measurement& measurement) {
  if (measurement.ok() && (!best_ms() || measurement.timing->median_ms < *best_ms())) {
    m_progress.best_ms = measurement.timing->median_ms;
    m_progress.best = existing_values(environment.spec, measurement.config);
  }
}

void ProblemState::disqualify(const Measurement& measurement, Status verdict,
                              const std::string& reason) {
  Measurement stored = measurement;
  stored.phase = Phase::search;
  stored.status = verdict;
  stored.reason = reason;
  stored.timing.reset();
  stored.gpu_ms = 0;
  environment.database.insert_measurement(run, m_key, stored);
  --m_progress.by_status[Status::ok];
  if (m_progress.by_status[Status::ok] == 0) m_progress.by_status.erase(Status::ok);
  ++m_progress.by_status[verdict];
  std::erase_if(m_searched, [&](const Measurement& m) { return m.config == measurement.config; });
  m_progress.best_ms.reset();
  m_progress.best = {};
  for (const Measurement& m : m_searched) race(m);
}

std::size_t ProblemState::in_race() const {
  return static_cast<std::size_t>(
      std::count_if(m_searched.begin(), m_searched.end(), [](const auto& m) { return m.ok(); }));
}

void ProblemState::set_under_way(std::size_t compiling, std::size_t measuring) {
  m_progress.compiling = compiling;
  m_progress.measuring = measuring;
}

void ProblemState::report(const std::string& stage) {
  m_progress.stage = stage;
  m_progress.seconds = clock.seconds();
  environment.observer.on_progress(m_progress);
}

}  // namespace gtune
