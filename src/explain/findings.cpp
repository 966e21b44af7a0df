#include "explain/findings.hpp"

#include <algorithm>

#include "explain/rules.hpp"

namespace gtune {
namespace {

using Rule = std::optional<Finding> (*)(const Subject&);

constexpr Rule k_rules[] = {
    dram_bound,        l2_bound,           l1_bound,          fma_bound,
    tensor_bound,      latency_bound,      limited_occupancy, idle_places,
    uncoalesced_loads, uncoalesced_stores, bank_conflicts,    spills,
    divergence,
};

}  // namespace

std::vector<Finding> find_findings(const Subject& subject, const MoveContext& context) {
  std::vector<Finding> findings;
  for (const Rule rule : k_rules) {
    std::optional<Finding> found = rule(subject);
    if (!found) continue;
    found->moves = find_moves(context, found->goal);
    findings.push_back(std::move(*found));
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.cost.value_or(-1) > b.cost.value_or(-1);
  });
  return findings;
}

}  // namespace gtune
