#include "answer/known_winners.hpp"

#include <algorithm>
#include <set>

namespace gtune {
namespace {

constexpr std::size_t few = 64;  // problems; where more are asked for, all are read at once

}  // namespace

KnownWinners::KnownWinners(const Database& database, const KernelIdentity& kernel,
                           FallbacksOf fallbacks_of)
    : m_database(database),
      m_kernel(kernel),
      m_fallbacks_of(std::move(fallbacks_of)),
      m_devices(database.tuned_devices(kernel)) {}

const std::vector<TunedProblem>& KnownWinners::problems() {
  if (!m_problems) m_problems = m_database.tuned_problems(m_kernel);
  return *m_problems;
}

const std::vector<Winner>& KnownWinners::winners(ProblemId problem) {
  load({problem});
  return m_winners[problem];
}

const std::vector<Winner>& KnownWinners::winners(const Problem& problem) {
  static const std::vector<Winner> none;
  const auto id = m_database.find_problem(m_kernel.name, problem);
  return id ? winners(*id) : none;
}

const std::vector<Winner>& KnownWinners::fallbacks() {
  if (!m_fallbacks) m_fallbacks = m_fallbacks_of(m_database.winners(m_kernel));
  return *m_fallbacks;
}

const std::optional<BestRow>& KnownWinners::row(const Winner& where, const Config& config) {
  std::optional<BestRow>& found = m_rows[{&where, config.text()}];
  if (found) return found;
  found = with_config(m_database.load_best(where), config);
  return found;
}

const std::vector<ConfigTime>& KnownWinners::near_times(
    const Winner& where, const std::vector<const TunedProblem*>& of_kind) {
  const auto [found, is_new] = m_near_times.try_emplace(&where);
  if (!is_new) return found->second;
  const std::vector<Config> configs = near_winners(where, of_kind);
  const auto times = m_database.find_median_ms(m_kernel, where, configs);
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (times[i]) found->second.push_back({configs[i], *times[i]});
  }
  return found->second;
}

std::optional<double> KnownWinners::loss(const Winner& of, const Winner& with) {
  const auto [found, is_new] = m_losses.try_emplace({&of, &with});
  if (is_new && of.config == with.config) found->second = 0;
  if (!is_new || found->second) return found->second;
  if (const auto median_ms = m_database.find_median_ms(m_kernel, of, {with.config}).front()) {
    found->second = std::max(0.0, *median_ms / of.median_ms - 1);
  }
  return found->second;
}

/// What is stored of another configuration than the best.
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

/// What won at the problems nearest to a winner's, on its device.
std::vector<Config> KnownWinners::near_winners(const Winner& where,
                                               const std::vector<const TunedProblem*>& of_kind) {
  std::vector<const Problem*> problems;
  for (const TunedProblem* problem : of_kind) problems.push_back(&problem->sizes);
  return near_configs(problems, where.problem, [&](std::size_t place) -> const Config* {
    const std::vector<Winner>& there = winners(of_kind[place]->id);
    const auto found = std::find_if(there.begin(), there.end(), [&](const Winner& winner) {
      return winner.device_id == where.device_id;
    });
    return found == there.end() ? nullptr : &found->config;
  });
}

/// These, or where many were read already, all.
void KnownWinners::load(std::vector<ProblemId> wanted) {
  std::erase_if(wanted, [&](ProblemId id) { return m_winners.contains(id); });
  if (wanted.empty()) return;
  const bool all = m_winners.size() + wanted.size() > few;
  if (all) {
    wanted.clear();
    for (const TunedProblem& problem : problems()) {
      if (!m_winners.contains(problem.id)) wanted.push_back(problem.id);
    }
  }
  const std::set<ProblemId> missing(wanted.begin(), wanted.end());
  for (const ProblemId id : wanted) m_winners[id];
  for (Winner& winner : all ? m_database.winners(m_kernel) : m_database.winners(m_kernel, wanted)) {
    if (missing.contains(winner.problem_id))
      m_winners[winner.problem_id].push_back(std::move(winner));
  }
}

}  // namespace gtune
