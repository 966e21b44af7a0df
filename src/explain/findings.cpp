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

}  // namespace

std::vector<Finding> find_findings(const Subject& subject, const MoveContext& context) {
  std::vector<Finding> findings;
  for (const Rule rule : k_rules) {
    if (auto found = rule(subject)) findings.push_back(std::move(*found));
  }
  // After the causes, if the costs of both are unknown.
  for (Finding& bound : unit_bounds(subject)) findings.push_back(std::move(bound));
  for (Finding& finding : findings) {
    finding.moves = find_moves(context, finding.goal);
    finding.record = known_record(finding.rule);
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.cost.value_or(-1) > b.cost.value_or(-1);
  });
  return findings;
}

}  // namespace gtune
