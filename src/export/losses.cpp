#include "export/losses.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "answer/problems_around.hpp"
#include "spec/device_slots.hpp"
#include "system/side_by_side.hpp"

namespace gtune {
namespace {

// Minimum loss of every configuration except a problem's own winner, so that the winner comes
// before a tie, and zero loss always means the winner.
constexpr double least_loss = 1e-9;
// The same for a configuration not measured there: a search that came near may have passed it over.
constexpr double least_expected_loss = 0.05;

}  // namespace

double shown_loss(double loss) { return loss <= least_loss ? 0 : loss; }

Losses::Losses(const std::vector<Winner>& winners, const std::vector<ConfigSpeed>& speeds,
               const SizeRules& rules)
    : m_winners(winners), m_rules(rules), m_times(speeds), m_groups(group_speeds(rules, speeds)) {
  std::vector<Config> won;
  for (const Winner& winner : winners) won.push_back(winner.config);
  m_launches = rules.launches_of(won);
  m_models = fit_models(m_groups, m_launches);
  std::map<std::vector<std::int64_t>, std::size_t> instances;
  for (std::size_t i = 0; i < m_launches.size(); ++i) {
    const auto [place, is_new] =
        instances.emplace(rules.instance_of(m_launches[i]).values(), m_instances.size());
    if (is_new) m_instances.emplace_back();
    m_instances[place->second].push_back(i);
  }
  for (const Winner& winner : winners) add_site(winner.device);
  for (const Winner& winner : winners) add_around(winner);
  work_side_by_side(m_around.size(), [&](std::size_t i) { find_expected(m_around[i]); });
  std::erase_if(m_around, [](const Around& around) { return around.least == unknown_loss; });
}

LossTable Losses::of(const LaunchGroups& groups) const {
  LossTable table;
  table.fastest.resize(m_winners.size());
  work_side_by_side(m_winners.size(),
                    [&](std::size_t i) { table.fastest[i] = fastest_of(groups, m_winners[i]); });
  for (std::size_t i = 0; i < m_winners.size(); ++i) {
    const Winner& winner = m_winners[i];
    std::vector<double>& losses = table.losses.emplace_back();
    for (const LossTable::Fastest& best : table.fastest[i]) {
      const bool is_own = best.launch && m_launches[*best.launch] == winner.config;
      const double least = best.is_measured ? least_loss : least_expected_loss;
      losses.push_back(is_own        ? 0
                       : best.launch ? std::max(least, best.ms / winner.median_ms - 1)
                                     : unknown_loss);
    }
  }
  for (const Around& around : m_around) {
    std::vector<double>& losses = table.losses.emplace_back();
    for (const std::vector<std::size_t>& group : groups) {
      double least = unknown_loss;
      for (const std::size_t i : group) least = std::min(least, around.expected[i]);
      losses.push_back(least / around.least - 1);
    }
  }
  return table;
}

std::vector<LossTable::Fastest> Losses::fastest_of(const LaunchGroups& groups,
                                                   const Winner& winner) const {
  const TimeModel* model = model_of(winner);
  const Site& site = site_of(winner);
  std::vector<LossTable::Fastest> all;
  for (const std::vector<std::size_t>& group : groups) {
    all.push_back(fastest(group, winner, site, model));
  }
  return all;
}

LossTable::Fastest Losses::fastest(const std::vector<std::size_t>& group, const Winner& winner,
                                   const Site& site, const TimeModel* model) const {
  const LossTable::Fastest measured = fastest_measured(group, winner, site);
  if (measured.ms / winner.median_ms - 1 <= most_measured_loss) return measured;
  const LossTable::Fastest expected = fastest_expected(group, winner, site, model);
  return expected.ms < measured.ms ? expected : measured;
}

LossTable::Fastest Losses::fastest_measured(const std::vector<std::size_t>& group,
                                            const Winner& winner, const Site& site) const {
  LossTable::Fastest best;
  for (const std::size_t i : group) {
    if (m_launches[i] == winner.config) return {i, true, winner.median_ms};
    const auto time = m_times.find(winner, m_launches[i]);
    if (!time || *time >= best.ms) continue;
    if (site.constraints[i].hold(winner.problem)) best = {i, true, *time};
  }
  return best;
}

LossTable::Fastest Losses::fastest_expected(const std::vector<std::size_t>& group,
                                            const Winner& winner, const Site& site,
                                            const TimeModel* model) const {
  LossTable::Fastest best;
  if (model == nullptr) return best;
  for (const std::size_t i : group) {
    const double ms = expected_ms(*model, i, winner.problem, site);
    if (ms < best.ms) best = {i, false, ms};
  }
  return best;
}

double Losses::expected_ms(const TimeModel& model, std::size_t launch, const Problem& problem,
                           const Site& site) const {
  if (!model.configs[launch] || !site.constraints[launch].hold(problem)) return unknown_loss;
  const auto time = model_time(m_rules, model, launch, {problem, m_launches[launch], site.device});
  return time ? time->compared_ms : unknown_loss;
}

void Losses::add_site(const DeviceFacts& device) {
  const auto is_known = [&](const Site& site) {
    return device_slot_values(site.device) == device_slot_values(device);
  };
  if (std::any_of(m_sites.begin(), m_sites.end(), is_known)) return;
  Site& site = m_sites.emplace_back(Site{device, {}});
  for (const Config& launch : m_launches) {
    site.constraints.emplace_back(m_rules.spec(), launch, device);
  }
}

const Losses::Site& Losses::site_of(const Winner& winner) const {
  return *std::find_if(m_sites.begin(), m_sites.end(), [&](const Site& site) {
    return device_slot_values(site.device) == device_slot_values(winner.device);
  });
}

const TimeModel* Losses::model_of(const Winner& winner) const {
  for (std::size_t i = 0; i < m_groups.size(); ++i) {
    if (m_groups[i].has(winner)) return &m_models[i];
  }
  return nullptr;
}

/// Adds problems around a tuned one; with the first winner of a group, also some of any size.
void Losses::add_around(const Winner& winner) {
  const TimeModel* model = model_of(winner);
  if (model == nullptr) return;
  std::vector<Problem> problems = problems_around(m_rules.spec(), winner.problem);
  const auto first = std::find_if(m_winners.begin(), m_winners.end(),
                                  [&](const Winner& each) { return model_of(each) == model; });
  if (&*first == &winner) {
    for (Problem& each : problems_of_any_size(m_rules.spec(), winner.problem)) {
      problems.push_back(std::move(each));
    }
  }
  for (Problem& problem : problems) {
    m_around.push_back({std::move(problem), model, &site_of(winner)});
  }
}

void Losses::find_expected(Around& around) const {
  for (std::size_t i = 0; i < m_launches.size(); ++i) {
    around.expected.push_back(expected_ms(*around.model, i, around.problem, *around.site));
  }
  around.least = *std::min_element(around.expected.begin(), around.expected.end());
}

}  // namespace gtune
