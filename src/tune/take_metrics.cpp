#include "tune/take_metrics.hpp"

#include <memory>
#include <vector>

#include "tune/energy_phase.hpp"
#include "tune/lines_phase.hpp"
#include "tune/profile_phase.hpp"

namespace gtune {
namespace {

/// A run whose metrics are taken.
struct Subject {
  Subject(const Environment& env, const RunSettings& settings, std::size_t problem_number,
          ProblemRun& problem_run, MetricTakers& takers)
      : number(problem_number),
        run(problem_run),
        state(env, settings, run.problem, run.space, run.outcome.keys.front(), run.outcome.run),
        profile(state, takers) {}

  std::size_t number;
  ProblemRun& run;
  ProblemState state;
  ProfilePhase profile;
};

class MetricsPhase {
 public:
  MetricsPhase(const Environment& env, const RunSettings& settings, ProblemRuns& runs,
               const std::function<void(std::size_t)>& begin)
      : m_env(env), m_begin(begin), m_takers(env) {
    for (auto& [number, run] : runs) {
      const ProblemOutcome& outcome = run.outcome;
      const bool is_also = outcome.from_store() && outcome.ended_before->database != &env.database;
      if (!outcome.found || is_also) continue;
      m_subjects.push_back(std::make_unique<Subject>(env, settings, number, run, m_takers));
    }
  }

  /// Energy comes before counters, which may patch kernels and thus crash the worker, and these
  /// before source lines, which need another process.
  void run() {
    take_of_all([this](Subject& of) { run_energy(of.state, m_takers); });
    take_of_all([](Subject& of) { of.profile.take_counted(); });
    take_of_all([](Subject& of) { of.profile.take_patched(); });
    take_of_all([this](Subject& of) { run_lines(of.state, m_takers); });
  }

 private:
  template <typename Take>
  void take_of_all(const Take& take) {
    for (const auto& subject : m_subjects) {
      // After the loss of its lead, another GPU would take them.
      if (subject->state.key().device != m_env.workers.lead().device_id) continue;
      m_begin(subject->number);
      const int lost_before = m_env.workers.workers_lost();
      take(*subject);
      subject->run.outcome.workers_lost += m_env.workers.workers_lost() - lost_before;
    }
  }

  const Environment& m_env;
  const std::function<void(std::size_t)>& m_begin;
  MetricTakers m_takers;
  std::vector<std::unique_ptr<Subject>> m_subjects;
};

}  // namespace

bool take_metrics(const Environment& env, const RunSettings& settings, ProblemRuns& runs,
                  const std::function<void(std::size_t)>& begin) {
  try {
    MetricsPhase(env, settings, runs, begin).run();
  } catch (const Interrupted&) {
    return false;
  }
  return true;
}

}  // namespace gtune
