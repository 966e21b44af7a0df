#include "export/contenders.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "answer/problems_around.hpp"
#include "export/sited_launch.hpp"
#include "spec/open_sizes.hpp"
#include "system/side_by_side.hpp"

namespace gtune {
namespace {

/// A configuration takes part if it needs at most this many times what the fastest is expected to.
constexpr double near = 1.1;
constexpr double never = std::numeric_limits<double>::infinity();

/// A configuration that the model knows.
struct Candidate {
  std::size_t place = 0;
  SitedLaunch launch;
};

/// Marks in `is_near` those of `all` that come near the fastest on a problem.
void mark_near(const SizeRules& rules, const TimeModel& model, const std::vector<Candidate>& all,
               const Problem& problem, std::vector<bool>& is_near) {
  const std::vector<std::int64_t> sizes = size_slots(rules.spec(), problem);
  const gtune_spot spot = model.grid.spot(problem);
  std::vector<double> ms;
  for (const Candidate& each : all) {
    ms.push_back(each.launch.expected_ms(*model.configs[each.place], sizes, spot));
  }
  double limit = never;
  for (;;) {
    const auto next = std::min_element(ms.begin(), ms.end());
    if (next == ms.end() || *next == never || *next > limit) return;
    const auto i = static_cast<std::size_t>(next - ms.begin());
    // Takes longest, so it comes last.
    if (all[i].launch.allows(sizes)) {
      is_near[i] = true;
      if (limit == never) limit = near * *next;
    }
    *next = never;
  }
}

}  // namespace

Contenders find_contenders(const SizeRules& rules, const TimeModel& model,
                           const std::vector<Config>& configs) {
  std::vector<Candidate> all;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (model.configs[i]) all.push_back({i, SitedLaunch(rules, configs[i], model.device)});
  }
  Contenders contenders(model.grid.nodes());
  work_side_by_side(contenders.size(), [&](std::size_t node) {
    std::vector<bool> is_near(all.size());
    for (const Problem& each : problems_in_cell(rules.spec(), model.kind, model.grid, node)) {
      mark_near(rules, model, all, each, is_near);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (is_near[i]) contenders[node].push_back(all[i].place);
    }
  });
  return contenders;
}

}  // namespace gtune
