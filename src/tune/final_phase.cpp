#include "tune/final_phase.hpp"

#include <algorithm>
#include <cstdint>

#include "measure/simplicity.hpp"
#include "measure/statistics.hpp"
#include "measure/tie.hpp"
#include "tune/compile_stage.hpp"
#include "tune/evaluate.hpp"

namespace gtune {
namespace {

constexpr int rounds = 8;
constexpr int samples_per_round = 5;

// Short kernels differ by less than the search's noise: more of them enter, as many as this allows.
constexpr std::size_t most_entrants = 20;
constexpr double most_sampled_ms = 100;  // by all entrants together

// The clearly slower are dropped, but for the handful that is reported.
constexpr int rounds_before_dropping = 4;
constexpr TieOptions when_dropping = {.floor = 0.005};

// Those that still tie for want of samples go on.
constexpr int more_rounds = 8;
constexpr int samples_per_more_round = 20;
constexpr double most_worker_ms = 500;  // for all rounds

/// A configuration in the final, its samples round by round.
struct Entrant {
  Candidate candidate;
  Measurement measurement;
  std::vector<std::vector<double>> rounds;
  std::vector<double> clocks;
  bool racing = true;  // is measured in the next round
};

/// The fastest of the search: the handful, and those that may be faster than its first.
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
  for (const Measurement* m : fast) {
    const bool may_win = m->timing->ci_low_ms <= fast.front()->timing->ci_high_ms;
    const auto count = static_cast<double>(chosen.size() + 1);
    const bool is_short =
        count * rounds * samples_per_round * m->timing->median_ms <= most_sampled_ms;
    const bool of_the_handful = chosen.size() < static_cast<std::size_t>(state.settings.finalists);
    if (!of_the_handful && !(may_win && is_short && chosen.size() < most_entrants)) break;
    chosen.push_back(*m);
  }
  return chosen;
}

std::vector<double> joined(const std::vector<std::vector<double>>& parts) {
  std::vector<double> samples;
  for (const auto& part : parts) samples.insert(samples.end(), part.begin(), part.end());
  return samples;
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
      entrants.push_back({std::move(*candidate), searched, {}, {}, true});
      entrants.back().measurement.phase = Phase::final;
    }
  }
  return entrants;
}

/// The rounds of a final: those that race are measured in turn.
class Race {
 public:
  Race(ProblemState& state, std::vector<Entrant>& entrants)
      : m_state(state), m_entrants(entrants) {}

  void run() {
    for (int round = 0; round < rounds && !m_over; ++round) {
      visit_all(samples_per_round);
      if (round + 1 == rounds_before_dropping) drop_slower();
    }
    for (int round = 0; round < more_rounds && !m_over && goes_on(); ++round) {
      visit_all(samples_per_more_round);
    }
  }

 private:
  void visit_all(int samples) {
    for (Entrant& entrant : m_entrants) {
      if (m_state.environment.interrupted()) throw Interrupted();
      if (entrant.racing) visit(entrant, samples);
    }
    m_state.report("final");
  }

  /// A failure ends an entrant's part in the final.
  void visit(Entrant& entrant, int samples) {
    MeasurePlan plan;
    plan.phase = Phase::final;
    plan.check = entrant.rounds.empty();
    plan.sampling.min_samples = samples;
    plan.sampling.max_samples = samples;
    Measurement visited;
    if (const auto request = request_for(m_state, entrant.candidate, plan, visited)) {
      adopt_reply(visited, m_state.environment.workers.on_lead(
                               [&](WorkerSession& worker) { return worker.measure(*request); }));
    }
    entrant.measurement.gpu_ms += visited.gpu_ms;
    m_worker_ms += visited.gpu_ms;
    if (visited.status != Status::ok) {
      entrant.measurement.status = visited.status;
      entrant.measurement.reason = visited.reason;
      entrant.measurement.timing.reset();
      entrant.racing = false;
    } else if (!visited.timing) {
      m_over = true;  // a recording has no more
    } else {
      entrant.rounds.push_back(visited.timing->samples_ms);
      if (visited.timing->sm_clock_mhz) entrant.clocks.push_back(*visited.timing->sm_clock_mhz);
    }
  }

  void drop_slower() {
    const std::vector<Entrant*> racing = in_race();
    if (racing.empty()) return;
    const Ranking ranking = rank_finalists(samples_of(racing), when_dropping);
    const auto handful = static_cast<std::size_t>(m_state.settings.finalists);
    for (std::size_t i = handful; i < ranking.order.size(); ++i) {
      racing[ranking.order[i]]->racing = has(ranking.tied, ranking.order[i]);
    }
  }

  /// Whether more rounds can decide and may be taken; then of those that tie alone.
  bool goes_on() {
    const std::vector<Entrant*> racing = in_race();
    if (racing.size() < 2 || m_worker_ms >= most_worker_ms) return false;
    const Ranking ranking = rank_finalists(samples_of(racing));
    if (ranking.settled) return false;
    for (std::size_t i = 0; i < racing.size(); ++i) racing[i]->racing = has(ranking.tied, i);
    return true;
  }

  static bool has(const std::vector<std::size_t>& list, std::size_t index) {
    return std::find(list.begin(), list.end(), index) != list.end();
  }

  [[nodiscard]] std::vector<Entrant*> in_race() const {
    std::vector<Entrant*> racing;
    for (Entrant& entrant : m_entrants) {
      if (entrant.racing && !entrant.rounds.empty()) racing.push_back(&entrant);
    }
    return racing;
  }

  static std::vector<std::vector<double>> samples_of(const std::vector<Entrant*>& entrants) {
    std::vector<std::vector<double>> samples;
    for (const Entrant* entrant : entrants) samples.push_back(joined(entrant->rounds));
    return samples;
  }

  ProblemState& m_state;
  std::vector<Entrant>& m_entrants;
  double m_worker_ms = 0;
  bool m_over = false;
};

/// Puts the rounds together to one timing. Without any, the search's stands.
void conclude(ProblemState& state, Entrant& entrant) {
  if (entrant.measurement.status != Status::ok || entrant.rounds.empty()) return;
  entrant.measurement.timing = summarise(joined(entrant.rounds));
  entrant.measurement.timing->l2_flushed = state.settings.flush_l2;
  entrant.measurement.timing->converged = true;
  if (!entrant.clocks.empty()) entrant.measurement.timing->sm_clock_mhz = median(entrant.clocks);
}

bool is_simpler(const Finalist& a, const Finalist& b) {
  const auto& mine = a.measurement.resources;
  const auto& other = b.measurement.resources;
  return mine && other && simpler(*mine, *other);
}

/// In the rounds of those that were not dropped; where a recording ended, in those that all have.
std::vector<Finalist> rank(std::vector<Entrant> entrants, std::vector<MeasurementId> ids) {
  std::size_t common = SIZE_MAX;
  for (const Entrant& entrant : entrants) {
    if (entrant.racing) common = std::min(common, entrant.measurement.timing->samples_ms.size());
  }
  std::vector<std::vector<double>> samples;
  std::vector<Finalist> ranked;
  for (std::size_t i = 0; i < entrants.size(); ++i) {
    if (!entrants[i].measurement.ok()) continue;
    samples.push_back(entrants[i].measurement.timing->samples_ms);
    samples.back().resize(std::min(samples.back().size(), common));
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
  Race(state, entrants).run();
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
