#include "tune/take_metrics.hpp"

#include <memory>

#include "tune/energy_phase.hpp"
#include "tune/lines_phase.hpp"
#include "tune/opened_run.hpp"
#include "tune/profile_phase.hpp"

namespace gtune {
namespace {

/// A run whose metrics are taken.
struct MetricsRun {
  MetricsRun(const Environment& env, const RunSettings& settings, const ProblemRun& tuned,
             std::size_t run_index, OpenedRun& opened)
      : state(env, settings, tuned.problem, tuned.space, tuned.outcome.keys.front(),
              tuned.outcome.run),
        profile(state, opened),
        index(run_index) {}

  ProblemState state;
  ProfilePhase profile;
  std::size_t index;
};

}  // namespace

bool take_metrics(const Environment& env, const RunSettings& settings,
                  const std::vector<ProblemRun>& tuned,
                  const std::function<void(std::size_t)>& begin) {
  OpenedRun opened;
  std::vector<std::unique_ptr<MetricsRun>> runs;
  for (std::size_t i = 0; i < tuned.size(); ++i) {
    const ProblemOutcome& outcome = tuned[i].outcome;
    const bool is_here = !outcome.from_store() || outcome.ended_before->database == &env.database;
    if (!outcome.found || !is_here) continue;
    runs.push_back(std::make_unique<MetricsRun>(env, settings, tuned[i], i, opened));
  }
  const auto take_of_all = [&](const auto& take) {
    for (const auto& run : runs) {
      begin(run->index);
      take(*run);
    }
  };
  try {
    // Patching may crash the worker, and lines need a process of their own.
    take_of_all([&](MetricsRun& run) { run_energy(run.state, opened); });
    take_of_all([](MetricsRun& run) { run.profile.take_counted(); });
    take_of_all([](MetricsRun& run) { run.profile.take_patched(); });
    take_of_all([&](MetricsRun& run) { run_lines(run.state, opened); });
  } catch (const Interrupted&) {
    return false;
  }
  return true;
}

}  // namespace gtune
