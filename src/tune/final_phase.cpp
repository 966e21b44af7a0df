#include "tune/final_phase.hpp"

#include <algorithm>

#include "model/statistics.hpp"
#include "model/step_metrics.hpp"
#include "tune/final_race.hpp"

namespace gtune {
namespace {

// Short kernels differ by less than the search's noise, so the search's best are partly luck. More
// of them enter the final, up to these limits.
constexpr std::size_t most_entrants = 20;
constexpr double most_sampled_ms = 100;    // all entrants together
constexpr int samples_of_an_entrant = 40;  // typical number

/// The fastest of the search: the handful, and those that may be faster than the first one.
std::vector<Measurement> choose(const ProblemState& state) {
  std::vector<const Measurement*> fast;
  for (const Measurement& m : state.searched()) {
    const double slowest = *state.best_ms() * state.settings.finalist_margin;
    if (m.ok() && m.timing->median_ms <= slowest) fast.push_back(&m);
  }
  std::stable_sort(fast.begin(), fast.end(), [](const Measurement* a, const Measurement* b) {
    return a->timing->median_ms < b->timing->median_ms;
  });
  std::vector<Measurement> chosen;
  double sampled_ms = 0;
  for (const Measurement* m : fast) {
    sampled_ms += samples_of_an_entrant * m->timing->median_ms;
    const bool of_the_handful = chosen.size() < static_cast<std::size_t>(state.settings.finalists);
    if (!of_the_handful && (chosen.size() >= most_entrants || sampled_ms > most_sampled_ms)) break;
    const bool may_win = m->timing->ci_low_ms <= fast.front()->timing->ci_high_ms;
    if (of_the_handful || may_win) chosen.push_back(*m);
  }
  return chosen;
}

/// Compiles the kernels again, which are usually in the cache.
std::vector<Entrant> compile(ProblemState& state, const std::vector<Measurement>& chosen) {
  const Environment& env = state.environment;
  CompileStage stage(env, state.problem, CompileStage::Order::as_submitted);
  for (std::size_t i = 0; i < chosen.size(); ++i) stage.submit(i, chosen[i].config);
  std::vector<Entrant> entrants;
  while (stage.under_way() > 0) {
    if (env.interrupted()) throw Interrupted();
    if (auto candidate = stage.next(std::chrono::milliseconds(100))) {
      const Measurement& searched = chosen[candidate->index];
      entrants.push_back({std::move(*candidate), searched, {}, {}, {}});
      entrants.back().measurement.phase = Phase::final;
    }
  }
  return entrants;
}

/// Combines the rounds into one timing. Without rounds, the search's timing remains.
void conclude(ProblemState& state, Entrant& entrant) {
  if (!entrant.measurement.ok() || entrant.rounds.empty()) return;
  entrant.measurement.timing = summarise(entrant.samples());
  entrant.measurement.timing->mode = state.settings.mode;
  entrant.measurement.timing->converged = true;
  if (!entrant.clocks.empty()) entrant.measurement.timing->sm_clock_mhz = median(entrant.clocks);
}

}  // namespace

std::vector<Finalist> run_finals(ProblemState& state) {
  if (!state.best_ms()) return {};
  std::vector<Entrant> entrants = compile(state, choose(state));
  const auto handful = static_cast<std::size_t>(state.settings.finalists);
  std::vector<Finalist> ranked;
  // Stored in this order, since reports show the first ones stored.
  for (const Standing& place : FinalRace(state, entrants, handful).run()) {
    conclude(state, *place.entrant);
    const MeasurementId id = state.record(place.entrant->measurement);
    state.environment.database.insert_metrics(id, step_metrics(place.entrant->step_times));
    ranked.push_back({place.entrant->measurement, id, place.ties_with_best});
  }
  for (const Entrant& entrant : entrants) {
    const Measurement& measured = entrant.measurement;
    if (measured.ok()) continue;
    state.record(measured);
    state.disqualify(measured, measured.status, measured.reason);
  }
  return ranked;
}

}  // namespace gtune
