#include "tune/final_race.hpp"

#include <algorithm>

#include "measure/simplicity.hpp"
#include "measure/tie.hpp"
#include "tune/evaluate.hpp"

namespace gtune {
namespace {

constexpr int rounds = 8;
constexpr int samples_per_round = 5;

constexpr int rounds_before_dropping = 4;
constexpr TieOptions when_dropping = {.floor = 0.005};

constexpr int more_rounds = 8;
constexpr int samples_per_more_round = 20;

std::vector<std::vector<double>> samples_of(const std::vector<Entrant*>& entrants) {
  std::vector<std::vector<double>> samples;
  for (const Entrant* entrant : entrants) samples.push_back(entrant->samples());
  return samples;
}

/// The entrants from the given place of the ranking on, except those that tie.
std::vector<Entrant*> slower_ones(const std::vector<Entrant*>& entrants, const Ranking& ranking,
                                  std::size_t first) {
  std::vector<Entrant*> slower;
  for (std::size_t place = first; place < ranking.order.size(); ++place) {
    const std::size_t index = ranking.order[place];
    const bool ties =
        std::find(ranking.tied.begin(), ranking.tied.end(), index) != ranking.tied.end();
    if (!ties) slower.push_back(entrants[index]);
  }
  return slower;
}

bool is_simpler(const Standing& a, const Standing& b) {
  const auto& mine = a.entrant->measurement.resources;
  const auto& other = b.entrant->measurement.resources;
  return mine && other && simpler(*mine, *other);
}

/// The fastest and those tied with it, simpler ones first, then the others as ranked.
std::vector<Standing> places_of(const std::vector<Entrant*>& entrants) {
  if (entrants.empty()) return {};
  const Ranking ranking = rank_finalists(samples_of(entrants));
  std::vector<Standing> places;
  for (const std::size_t index : ranking.tied) places.push_back({entrants[index], true});
  std::stable_sort(places.begin(), places.end(), is_simpler);
  for (Entrant* entrant : slower_ones(entrants, ranking, 0)) places.push_back({entrant, false});
  return places;
}

}  // namespace

std::vector<double> Entrant::samples() const {
  if (rounds.empty()) return measurement.timing->samples_ms;
  std::vector<double> all;
  for (const auto& round : rounds) all.insert(all.end(), round.begin(), round.end());
  return all;
}

FinalRace::FinalRace(ProblemState& state, std::vector<Entrant>& entrants, std::size_t handful)
    : m_state(state), m_entrants(entrants), m_handful(handful) {}

std::vector<Standing> FinalRace::run() {
  for (int round = 0; round < rounds; ++round) {
    visit_all(samples_per_round);
    if (round + 1 == rounds_before_dropping) drop_slower();
  }
  for (int round = 0; round < more_rounds && goes_on(); ++round) visit_all(samples_per_more_round);
  std::vector<Standing> places = places_of(contenders());
  for (Entrant* entrant : m_dropped) {
    if (!entrant->rounds.empty()) places.push_back({entrant, false});
  }
  return places;
}

void FinalRace::visit_all(int samples) {
  for (Entrant& entrant : m_entrants) {
    if (m_state.environment.interrupted()) throw Interrupted();
    if (entrant.part == Entrant::Part::racing) visit(entrant, samples);
  }
  m_state.report("final");
}

void FinalRace::visit(Entrant& entrant, int samples) {
  MeasurePlan plan;
  plan.phase = Phase::final;
  plan.check = entrant.rounds.empty();
  plan.time_steps = entrant.rounds.empty();
  plan.sampling.min_samples = samples;
  plan.sampling.max_samples = samples;
  Measurement visited;
  bool performed = true;
  if (const auto request = request_for(m_state, entrant.candidate, plan, visited)) {
    MeasureReply reply = m_state.environment.workers.on_lead(
        [&](RestartingWorker& worker) { return worker.ask(*request); });
    performed = reply.performed;
    if (!reply.step_times.empty()) entrant.step_times = std::move(reply.step_times);
    adopt_reply(visited, std::move(reply));
  }
  entrant.measurement.gpu_ms += visited.gpu_ms;
  m_worker_ms += visited.gpu_ms;
  if (!performed) {
    run_out(entrant);
  } else if (visited.status != Status::ok) {
    entrant.measurement.status = visited.status;
    entrant.measurement.reason = visited.reason;
    entrant.measurement.timing.reset();
    entrant.part = Entrant::Part::out;
  } else {
    entrant.rounds.push_back(visited.timing->samples_ms);
    if (visited.timing->sm_clock_mhz) entrant.clocks.push_back(*visited.timing->sm_clock_mhz);
  }
}

/// Only rounds that all entrants have are compared, which is acceptable for one of the handful.
void FinalRace::run_out(Entrant& entrant) {
  if (entrant.candidate.index < m_handful) {
    entrant.part = Entrant::Part::spent;
  } else {
    drop({&entrant});
  }
}

void FinalRace::drop_slower() {
  const std::vector<Entrant*> entrants = contenders();
  if (entrants.size() <= m_handful) return;
  const Ranking ranking = rank_finalists(samples_of(entrants), when_dropping);
  drop(slower_ones(entrants, ranking, m_handful));
}

/// Whether more rounds can settle a tie and time is left. Eliminates slower entrants.
bool FinalRace::goes_on() {
  const std::vector<Entrant*> entrants = contenders();
  const bool all_race = std::all_of(entrants.begin(), entrants.end(), [](const Entrant* each) {
    return each->part == Entrant::Part::racing;
  });
  if (entrants.size() < 2 || !all_race || m_worker_ms >= most_worker_ms) return false;
  const Ranking ranking = rank_finalists(samples_of(entrants));
  if (ranking.settled) return false;
  drop(slower_ones(entrants, ranking, 0));
  return true;
}

/// Ranks them before entrants that were dropped earlier.
void FinalRace::drop(const std::vector<Entrant*>& slower) {
  for (Entrant* entrant : slower) entrant->part = Entrant::Part::out;
  m_dropped.insert(m_dropped.begin(), slower.begin(), slower.end());
}

std::vector<Entrant*> FinalRace::contenders() const {
  std::vector<Entrant*> found;
  for (Entrant& entrant : m_entrants) {
    if (entrant.part != Entrant::Part::out) found.push_back(&entrant);
  }
  return found;
}

}  // namespace gtune
