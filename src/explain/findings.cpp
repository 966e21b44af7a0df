#include "explain/findings.hpp"

#include <algorithm>

#include "explain/rules.hpp"

namespace gtune {
namespace {

using Rule = std::optional<Finding> (*)(const Subject&);

constexpr Rule k_rules[] = {
    latency_bound,      transfer_bound, kernels_bound,     serial_steps, launch_bound,
    few_waves,          tail_wave,      limited_occupancy, divergence,   uncoalesced_loads,
    uncoalesced_stores, bank_conflicts, shared_atomics,    spills,
};

/// A cause says what to change; what bounds the kernel comes first only if it costs this much more.
constexpr double k_ahead = 0.25;

double rank_of(const Finding& finding) {
  return finding.cost ? *finding.cost + (is_of_bound(finding.rule) ? 0 : k_ahead) : -1;
}

}  // namespace

std::vector<Finding> find_findings(const Subject& subject, const MoveContext& context) {
  std::vector<Finding> findings;
  for (const Rule rule : k_rules) {
    if (auto found = rule(subject)) findings.push_back(std::move(*found));
  }
  // After the causes, also if the costs of both are unknown.
  for (Finding& bound : unit_bounds(subject)) findings.push_back(std::move(bound));
  for (Finding& finding : findings) {
    finding.moves = find_moves(context, finding.goal);
    finding.record = known_record(finding.rule);
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return rank_of(a) > rank_of(b); });
  return findings;
}

}  // namespace gtune
