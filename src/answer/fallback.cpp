#include "answer/fallback.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "answer/problems_around.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"

namespace gtune {
namespace {

constexpr std::size_t most_fallbacks = 3;        // per GPU model and kind; each is compiled
constexpr std::size_t enough_candidates = 2000;  // per GPU model and kind

/// For each probe that nothing in use is valid for, whether a configuration is.
using Cover = std::vector<bool>;

/// Chooses fallbacks for one GPU model and kind of problem.
class FallbackChoice {
 public:
  FallbackChoice(const KernelSpec& spec, const Winner& one)
      : m_spec(spec),
        m_device(one.device),
        m_probes(problems_of_any_size(spec, one.problem)),
        m_covered(m_probes.size(), false) {}

  void use(const Config& config) {
    if (m_used.insert(config.text()).second) unite(cover_of(config));
  }

  void add_candidate(Winner candidate) {
    const std::string key = candidate.config.text();
    if (m_candidates.size() >= enough_candidates || !m_known.insert(key).second) return;
    Cover cover = cover_of(candidate.config);
    m_candidates.emplace_back(std::move(candidate), std::move(cover));
  }

  [[nodiscard]] bool has_enough() const {
    return m_candidates.size() >= enough_candidates ||
           std::find(m_covered.begin(), m_covered.end(), false) == m_covered.end();
  }

  [[nodiscard]] std::vector<Winner> choose() {
    std::vector<Winner> chosen;
    while (chosen.size() < most_fallbacks) {
      const auto best = std::max_element(
          m_candidates.begin(), m_candidates.end(),
          [&](const auto& a, const auto& b) { return gain(a.second) < gain(b.second); });
      if (best == m_candidates.end() || gain(best->second) == 0) break;
      chosen.push_back(best->first);
      unite(best->second);
    }
    return chosen;
  }

 private:
  [[nodiscard]] Cover cover_of(const Config& config) const {
    Cover cover;
    for (std::size_t i = 0; i < m_probes.size(); ++i) {
      cover.push_back(!m_covered[i] && satisfies(m_spec, {m_probes[i], config, m_device}));
    }
    return cover;
  }

  void unite(const Cover& cover) {
    for (std::size_t i = 0; i < cover.size(); ++i) m_covered[i] = m_covered[i] || cover[i];
  }

  [[nodiscard]] int gain(const Cover& cover) const {
    int more = 0;
    for (std::size_t i = 0; i < cover.size(); ++i) more += cover[i] && !m_covered[i] ? 1 : 0;
    return more;
  }

  const KernelSpec& m_spec;
  const DeviceFacts& m_device;
  std::vector<Problem> m_probes;
  Cover m_covered;
  std::set<std::string> m_used;
  std::set<std::string> m_known;
  std::vector<std::pair<Winner, Cover>> m_candidates;
};

/// The right configurations on a winner's problem and GPU model, the fastest first.
std::vector<Winner> measured_beside(const Database& database, const KernelIdentity& kernel,
                                    const Winner& winner) {
  std::vector<Winner> all;
  for (ConfigSpeed& speed : database.load_speeds(kernel, {winner.problem, winner.device.name})) {
    if (speed.device.replayed != winner.device.replayed || speed.mode != winner.mode) continue;
    all.push_back(winner);
    all.back().config = std::move(speed.config);
    all.back().median_ms = speed.median_ms;
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Winner& a, const Winner& b) { return a.median_ms < b.median_ms; });
  return all;
}

bool same_group(const KernelSpec& spec, const Winner& a, const Winner& b) {
  return a.device.name == b.device.name && a.device.replayed == b.device.replayed &&
         same_choices(spec, a.problem, b.problem);
}

std::vector<Winner> fallbacks_of_group(const Database& database, const KernelIdentity& kernel,
                                       const KernelSpec& spec, const std::vector<Winner>& group) {
  FallbackChoice choice(spec, group.front());
  for (const Winner& winner : group) choice.use(winner.config);
  for (const Winner& winner : group) {
    if (choice.has_enough()) break;
    for (Winner& candidate : measured_beside(database, kernel, winner)) {
      choice.add_candidate(std::move(candidate));
    }
  }
  return choice.choose();
}

}  // namespace

std::vector<Winner> find_fallbacks(const Database& database, const KernelIdentity& kernel,
                                   const KernelSpec& spec, const std::vector<Winner>& used) {
  std::vector<std::vector<Winner>> groups;
  for (const Winner& winner : used) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& each) {
      return same_group(spec, each.front(), winner);
    });
    if (group == groups.end()) {
      groups.push_back({winner});
    } else {
      group->push_back(winner);
    }
  }
  std::vector<Winner> fallbacks;
  for (const std::vector<Winner>& group : groups) {
    for (Winner& each : fallbacks_of_group(database, kernel, spec, group)) {
      fallbacks.push_back(std::move(each));
    }
  }
  return fallbacks;
}

}  // namespace gtune
