#include "export/losses.hpp"

#include <algorithm>
#include <map>
#include <numeric>
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

LossTable Losses::of(const LaunchGroups& groups) {
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
  table.losses.resize(m_winners.size() + m_around.size());
  work_side_by_side(m_around.size(), [&](std::size_t i) {
    Around& around = m_around[i];
    for (const std::vector<std::size_t>& group : groups) {
      table.losses[m_winners.size() + i].push_back(around.fastest_of(group) / around.least - 1);
    }
  });
  return table;
}

std::vector<LossTable::Fastest> Losses::fastest_of(const LaunchGroups& groups,
                                                   const Winner& winner) const {
  Place place = place_of(winner.problem, model_of(winner), site_of(winner));
  place.measured = m_times.at(winner);
  std::vector<LossTable::Fastest> all;
  for (const std::vector<std::size_t>& group : groups) {
    all.push_back(fastest(group, winner, place));
  }
  return all;
}

LossTable::Fastest Losses::fastest(const std::vector<std::size_t>& group, const Winner& winner,
                                   const Place& place) const {
  const LossTable::Fastest measured = fastest_measured(group, winner, place);
  if (measured.ms / winner.median_ms - 1 <= most_measured_loss) return measured;
  const LossTable::Fastest expected = place.fastest_expected(group);
  return expected.ms < measured.ms ? expected : measured;
}

LossTable::Fastest Losses::fastest_measured(const std::vector<std::size_t>& group,
                                            const Winner& winner, const Place& place) const {
  LossTable::Fastest best;
  for (const std::size_t i : group) {
    if (m_launches[i] == winner.config) return {i, true, winner.median_ms};
    const auto time = place.measured.find(m_launches[i]);
    if (!time || *time >= best.ms) continue;
    if (place.allows(i)) best = {i, true, *time};
  }
  return best;
}

Losses::Place Losses::place_of(const Problem& problem, const TimeModel* model,
                               const Site& site) const {
  Place place{size_slots(m_rules.spec(), problem), {}, model, &site};
  if (model != nullptr) place.spot = model->grid.spot(problem);
  return place;
}

bool Losses::Place::allows(std::size_t launch) const {
  return site->launches[launch].allows(sizes);
}

double Losses::Place::expected_ms(std::size_t launch) const {
  if (model == nullptr || !model->configs[launch]) return unknown_loss;
  return site->launches[launch].expected_ms(*model->configs[launch], sizes, spot);
}

LossTable::Fastest Losses::Place::fastest_expected(const std::vector<std::size_t>& group) const {
  LossTable::Fastest best;
  for (const std::size_t i : group) {
    const double ms = expected_ms(i);
    if (ms < best.ms && allows(i)) best = {i, false, ms};
  }
  return best;
}

void Losses::add_site(const DeviceFacts& device) {
  const auto is_known = [&](const Site& site) {
    return device_slot_values(site.device) == device_slot_values(device);
  };
  if (std::any_of(m_sites.begin(), m_sites.end(), is_known)) return;
  Site& site = m_sites.emplace_back(Site{device, {}});
  for (const Config& launch : m_launches) {
    site.launches.emplace_back(m_rules, launch, device);
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
  for (const Problem& problem : problems) {
    m_around.push_back({place_of(problem, model, site_of(winner))});
  }
}

void Losses::find_expected(Around& around) {
  const std::size_t count = around.place.site->launches.size();
  for (std::size_t i = 0; i < count; ++i) around.expected.push_back(around.place.expected_ms(i));
  around.is_valid.resize(count);
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  around.least = around.fastest_of(all);
}

double Losses::Around::fastest_of(const std::vector<std::size_t>& group) {
  const auto slower = [&](std::size_t a, std::size_t b) { return expected[a] < expected[b]; };
  for (;;) {
    const auto fastest = std::min_element(group.begin(), group.end(), slower);
    if (fastest == group.end() || expected[*fastest] == unknown_loss) return unknown_loss;
    if (!is_valid[*fastest]) is_valid[*fastest] = place.allows(*fastest);
    if (is_valid[*fastest]) return expected[*fastest];
    expected[*fastest] = unknown_loss;
  }
}

}  // namespace gtune
