#include "answer/known_winners.hpp"

#include <algorithm>
#include <tuple>

#include "answer/model_winners.hpp"
#include "model/problem_distance.hpp"

namespace gtune {

KnownWinners::KnownWinners(const Database& database, const KernelIdentity& kernel,
                           const SizeRules& rules, FallbacksOf fallbacks_of)
    : m_database(database),
      m_kernel(kernel),
      m_rules(rules),
      m_fallbacks_of(std::move(fallbacks_of)),
      m_devices(database.tuned_devices(kernel)) {}

const std::vector<Winner>& KnownWinners::winners(const Problem& problem) {
  static const std::vector<Winner> none;
  const auto id = m_database.find_problem(m_kernel.name, problem);
  if (!id) return none;
  const auto [known, is_new] = m_winners.try_emplace(*id);
  if (!is_new) return known->second;
  if (!m_all_winners) return known->second = m_database.winners(m_kernel, {*id});
  for (const Winner& winner : *m_all_winners) {
    if (winner.problem_id == *id) known->second.push_back(winner);
  }
  return known->second;
}

const std::vector<Winner>& KnownWinners::model_winners() {
  if (!m_all_winners) m_all_winners = m_database.winners(m_kernel);
  if (!m_model_winners) m_model_winners = winners_of_models(*m_all_winners);
  return *m_model_winners;
}

const std::vector<MeasuredGroup>& KnownWinners::groups() {
  if (m_groups) return *m_groups;
  m_speeds = m_database.load_speeds(m_kernel);
  m_groups = group_speeds(m_rules, m_speeds);
  for (const ConfigSpeed& speed : m_speeds) {
    for (std::size_t group = 0; group < m_groups->size(); ++group) {
      if (!(*m_groups)[group].has(speed)) continue;
      m_measured[{group, *(*m_groups)[group].instance_of(speed.config)}].push_back(&speed);
    }
  }
  return *m_groups;
}

const Candidates& KnownWinners::tuned() {
  if (m_tuned) return *m_tuned;
  std::vector<Config> won;
  for (const Winner& winner : model_winners()) won.push_back(winner.config);
  m_tuned.emplace();
  m_tuned->configs = m_rules.launches_of(won);
  m_tuned->models = fit_models(groups(), m_tuned->configs);
  return *m_tuned;
}

const Candidates& KnownWinners::fallbacks() {
  if (m_fallbacks) return *m_fallbacks;
  std::vector<Config> configs;
  for (const Winner& winner : m_fallbacks_of(model_winners())) configs.push_back(winner.config);
  m_fallbacks.emplace();
  m_fallbacks->configs = m_rules.launches_of(configs);
  m_fallbacks->models = fit_models(groups(), m_fallbacks->configs);
  return *m_fallbacks;
}

std::optional<double> KnownWinners::error(std::size_t group) {
  const auto [known, is_new] = m_errors.try_emplace(group);
  if (!is_new) return known->second;
  const std::vector<double> errors = groups()[group].errors(tuned().configs);
  if (!errors.empty()) known->second = errors[(errors.size() - 1) * 9 / 10];
  return known->second;
}

std::optional<BestRow> KnownWinners::nearest_row(std::size_t group, const Config& config,
                                                 const Problem& wanted) {
  const auto instance = groups()[group].instance_of(config);
  const auto measured = instance ? m_measured.find({group, *instance}) : m_measured.end();
  if (measured == m_measured.end()) return std::nullopt;
  const auto rank = [&](const ConfigSpeed& speed) {
    return std::tuple(!(speed.config == config), distance(speed.problem, wanted), speed.median_ms,
                      speed.device.uuid);
  };
  const ConfigSpeed* nearest = *std::min_element(
      measured->second.begin(), measured->second.end(),
      [&](const ConfigSpeed* a, const ConfigSpeed* b) { return rank(*a) < rank(*b); });
  for (const Winner& winner : winners(nearest->problem)) {
    if (winner.device.uuid != nearest->device.uuid ||
        winner.device.replayed != nearest->device.replayed) {
      continue;
    }
    return row(winner, nearest->config);
  }
  return std::nullopt;
}

const std::optional<BestRow>& KnownWinners::row(const Winner& where, const Config& config) {
  std::optional<BestRow>& found = m_rows[{&where, config.text()}];
  if (found) return found;
  found = with_config(m_database.load_best(where), config);
  return found;
}

/// `row` with another configuration's measurement under the same conditions.
std::optional<BestRow> KnownWinners::with_config(BestRow row, const Config& config) const {
  if (row.best.measurement.config == config) return row;
  auto other = m_database.find_comparable(row.best.id, config);
  if (!other || !other->measurement.ok() || !other->measurement.timing) return std::nullopt;
  const double slower =
      other->measurement.timing->median_ms / row.best.measurement.timing->median_ms;
  if (row.gflops) *row.gflops /= slower;
  if (row.gbps) *row.gbps /= slower;
  row.best = std::move(*other);
  row.verified = false;
  return row;
}

}  // namespace gtune
