#include "tune/energy_race.hpp"

#include <algorithm>

#include "measure/tie.hpp"
#include "model/error.hpp"
#include "model/statistics.hpp"
#include "tune/open_problem.hpp"
#include "tune/relaunch.hpp"

namespace gtune {
namespace {

// A measurement of energy takes 2.2 s, so only a few are repeated.
constexpr std::size_t most_leaders = 4;
constexpr double leader_margin = 1.04;
constexpr int leader_rounds = 2;  // after the first
/// Smaller differences than this share are ties, whatever the rounds say.
constexpr TieOptions energy_tie = {.floor = 0.02};  // as repeats on an H200 vary

}  // namespace

EnergyUse EnergyRace::Racer::median_use() const {
  std::vector<double> energies;
  std::vector<double> powers;
  for (const EnergyUse& use : uses) {
    energies.push_back(use.energy_mj);
    powers.push_back(use.power_w);
  }
  EnergyUse use = uses.back();
  use.energy_mj = median(energies);
  use.power_w = median(powers);
  return use;
}

EnergyRace::EnergyRace(ProblemState& state, std::vector<Finalist> finalists)
    : m_state(state), m_probe(state.environment) {
  for (Finalist& finalist : finalists) {
    finalist.ties_with_best = false;
    m_racers.push_back({std::move(finalist), std::nullopt, {}, ""});
  }
}

std::vector<Finalist> EnergyRace::run() {
  prepare();
  for (Racer& racer : m_racers) visit(racer);
  require_any();
  const std::vector<Racer*> leading = leaders();
  for (int round = 0; round < leader_rounds && leading.size() > 1; ++round) {
    for (Racer* racer : leading) visit(*racer);
  }
  std::vector<Racer*> ranked = measured();
  settle(ranked);
  std::vector<Finalist> finalists;
  for (const Racer* racer : ranked) finalists.push_back(racer->finalist);
  for (const Racer& racer : m_racers) {
    if (racer.uses.empty()) finalists.push_back(racer.finalist);
  }
  return finalists;
}

/// Compiles the kernels again, which are usually in the cache.
void EnergyRace::prepare() {
  const Environment& env = m_state.environment;
  std::vector<KernelRequest> kernels;
  for (const Racer& racer : m_racers) {
    const Config& config = racer.finalist.measurement.config;
    kernels.push_back(env.request(env.spec.steps, env.case_on_lead(m_state.problem, config)));
  }
  std::vector<std::optional<CompileResult>> compiled(m_racers.size());
  if (env.pool != nullptr) {
    auto results = compile_side_by_side(*env.pool, env.interrupted, kernels);
    std::move(results.begin(), results.end(), compiled.begin());
  }
  Relaunch relaunch(m_state);
  for (std::size_t i = 0; i < m_racers.size(); ++i) {
    Racer& racer = m_racers[i];
    racer.request = relaunch.request_of(
        racer.finalist.measurement, [&]() -> auto& { return compiled[i]; }, racer.reason);
  }
}

void EnergyRace::visit(Racer& racer) {
  if (m_state.environment.interrupted()) throw Interrupted();
  m_state.report("energy");
  if (!racer.request) return store(racer);
  const MeasureEnergyReply reply = m_probe.take(*racer.request);
  if (reply.energy) {
    racer.uses.push_back(*reply.energy);
  } else {
    racer.reason = reply.reason;
  }
  store(racer);
}

void EnergyRace::store(const Racer& racer) const {
  m_state.environment.database.insert_metrics(
      racer.finalist.id, racer.uses.empty() ? missing_energy_metrics(racer.reason)
                                            : energy_metrics(racer.median_use()));
}

double EnergyRace::cost(const Racer& racer) const {
  return cost_of(m_state.settings.objective, racer.ms(), racer.median_use().energy_mj);
}

/// By cost, the least first.
std::vector<EnergyRace::Racer*> EnergyRace::measured() {
  std::vector<Racer*> found;
  for (Racer& racer : m_racers) {
    if (!racer.uses.empty()) found.push_back(&racer);
  }
  std::stable_sort(found.begin(), found.end(),
                   [this](const Racer* a, const Racer* b) { return cost(*a) < cost(*b); });
  return found;
}

std::vector<EnergyRace::Racer*> EnergyRace::leaders() {
  std::vector<Racer*> found = measured();
  const double most = cost(*found.front()) * leader_margin;
  std::erase_if(found, [&](const Racer* racer) { return cost(*racer) > most; });
  if (found.size() > most_leaders) found.resize(most_leaders);
  return found;
}

void EnergyRace::settle(std::vector<Racer*>& ranked) const {
  // Those that were repeated; a lost worker may have cost one of them a round.
  std::vector<Racer*> repeated;
  std::vector<std::vector<double>> costs;
  for (Racer* racer : ranked) {
    if (racer->uses.size() < 2) continue;
    repeated.push_back(racer);
    costs.emplace_back();
    for (const EnergyUse& use : racer->uses) {
      costs.back().push_back(cost_of(m_state.settings.objective, racer->ms(), use.energy_mj));
    }
  }
  if (repeated.size() < 2) return;
  std::vector<Racer*> first;
  for (const std::size_t tied : rank_finalists(costs, energy_tie).tied) {
    first.push_back(repeated[tied]);
  }
  for (Racer* racer : first) racer->finalist.ties_with_best = true;
  std::stable_sort(first.begin(), first.end(),
                   [](const Racer* a, const Racer* b) { return a->ms() < b->ms(); });
  std::erase_if(ranked, [](const Racer* racer) { return racer->finalist.ties_with_best; });
  ranked.insert(ranked.begin(), first.begin(), first.end());
}

void EnergyRace::require_any() const {
  const bool any = std::any_of(m_racers.begin(), m_racers.end(),
                               [](const Racer& racer) { return !racer.uses.empty(); });
  if (any || m_racers.empty()) return;
  const bool replayed = m_state.environment.device().replayed;
  throw UserError(replayed ? ExitCode::nothing_stored : ExitCode::failed,
                  "--objective " + std::string(to_string(m_state.settings.objective)) +
                      ": no energy of any finalist: " + m_racers.front().reason);
}

}  // namespace gtune
