#include "tune/final_phase.hpp"

#include <algorithm>

#include "measure/simplicity.hpp"
#include "measure/statistics.hpp"
#include "measure/tie.hpp"
#include "tune/compile_stage.hpp"
#include "tune/evaluate.hpp"

namespace gtune {
namespace {

constexpr int rounds = 8;
constexpr int samples_per_round = 5;

/// A configuration in the final, its samples round by round.
struct Entrant {
  Candidate candidate;
  Measurement measurement;
  std::vector<std::vector<double>> rounds;
  std::vector<double> clocks;
};

std::vector<Measurement> choose(const ProblemState& state) {
  std::vector<const Measurement*> fast;
  for (const Measurement& m : state.searched()) {
    const double slowest = *state.best_ms() * state.settings.finalist_margin;
    if (m.ok() && m.timing->median_ms <= slowest) fast.push_back(&m);
  }
  std::stable_sort(fast.begin(), fast.end(), [](const Measurement* a, const Measurement* b) {
    return a->timing->median_ms < b->timing->median_ms;
  });
  const auto most = static_cast<std::size_t>(state.settings.finalists);
  if (fast.size() > most) fast.resize(most);
  std::vector<Measurement> chosen;
  for (const Measurement* m : fast) chosen.push_back(*m);
  return chosen;
}

/// Brings the compiled kernels back, from the cache in all likelihood.
std::vector<Entrant> compile(ProblemState& state, const std::vector<Measurement>& chosen) {
  const Environment& env = state.environment;
  CompileStage stage(env, state.problem, CompileStage::Order::as_submitted);
  for (std::size_t i = 0; i < chosen.size(); ++i) stage.submit(i, chosen[i].config);
  std::vector<Entrant> entrants;
  while (stage.under_way() > 0) {
    if (env.interrupted()) throw Interrupted();
    if (auto candidate = stage.next(std::chrono::milliseconds(100))) {
      const Measurement& searched = chosen[candidate->index];
      entrants.push_back({std::move(*candidate), searched, {}, {}});
      entrants.back().measurement.phase = Phase::final;
    }
  }
  return entrants;
}

/// One visit to one entrant. A failure ends its part in the final.
void visit(ProblemState& state, Entrant& entrant, bool first) {
  MeasurePlan plan;
  plan.phase = Phase::final;
  plan.check = first;
  plan.sampling.min_samples = samples_per_round;
  plan.sampling.max_samples = samples_per_round;
  Measurement visited;
  if (const auto request = request_for(state, entrant.candidate, plan, visited)) {
    adopt_reply(visited, state.environment.workers.on_lead(
                             [&](WorkerSession& worker) { return worker.measure(*request); }));
  }
  entrant.measurement.gpu_ms += visited.gpu_ms;
  if (visited.status != Status::ok) {
    entrant.measurement.status = visited.status;
    entrant.measurement.reason = visited.reason;
    entrant.measurement.timing.reset();
    return;
  }
  if (!visited.timing) return;  // the recording has no more
  entrant.rounds.push_back(visited.timing->samples_ms);
  if (visited.timing->sm_clock_mhz) entrant.clocks.push_back(*visited.timing->sm_clock_mhz);
}

/// Puts the rounds together to one timing. Without any, the search's stands.
void conclude(ProblemState& state, Entrant& entrant) {
  if (entrant.measurement.status != Status::ok || entrant.rounds.empty()) return;
  std::vector<double> samples;
  for (const auto& round : entrant.rounds)
    samples.insert(samples.end(), round.begin(), round.end());
  entrant.measurement.timing = summarise(samples);
  entrant.measurement.timing->l2_flushed = state.settings.flush_l2;
  entrant.measurement.timing->converged = true;
  if (!entrant.clocks.empty()) entrant.measurement.timing->sm_clock_mhz = median(entrant.clocks);
}

bool is_simpler(const Finalist& a, const Finalist& b) {
  const auto& mine = a.measurement.resources;
  const auto& other = b.measurement.resources;
  return mine && other && simpler(*mine, *other);
}

std::vector<Finalist> rank(std::vector<Entrant> entrants, std::vector<MeasurementId> ids) {
  std::vector<std::vector<double>> samples;
  std::vector<Finalist> ranked;
  for (std::size_t i = 0; i < entrants.size(); ++i) {
    if (!entrants[i].measurement.ok()) continue;
    samples.push_back(entrants[i].measurement.timing->samples_ms);
    ranked.push_back({std::move(entrants[i].measurement), ids[i], false});
  }
  if (ranked.empty()) return ranked;
  for (const std::size_t tied : rank_finalists(samples).tied) ranked[tied].ties_with_best = true;
  std::stable_sort(ranked.begin(), ranked.end(), [](const Finalist& a, const Finalist& b) {
    if (a.ties_with_best != b.ties_with_best) return a.ties_with_best;
    if (a.ties_with_best && is_simpler(a, b)) return true;
    if (a.ties_with_best && is_simpler(b, a)) return false;
    return a.measurement.timing->median_ms < b.measurement.timing->median_ms;
  });
  return ranked;
}

}  // namespace

std::vector<Finalist> run_finals(ProblemState& state) {
  if (!state.best_ms()) return {};
  std::vector<Entrant> entrants = compile(state, choose(state));
  for (int round = 0; round < rounds; ++round) {
    for (Entrant& entrant : entrants) {
      if (state.environment.interrupted()) throw Interrupted();
      if (entrant.measurement.status == Status::ok) visit(state, entrant, round == 0);
    }
    state.report("final");
  }
  std::vector<MeasurementId> ids;
  for (Entrant& entrant : entrants) {
    conclude(state, entrant);
    ids.push_back(state.record(entrant.measurement));
    if (!entrant.measurement.ok()) {
      state.disqualify(entrant.measurement, entrant.measurement.status, entrant.measurement.reason);
    }
  }
  return rank(std::move(entrants), std::move(ids));
}

}  // namespace gtune
