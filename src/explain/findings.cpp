#include "explain/findings.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "explain/cause_amount.hpp"
#include "explain/only_difference.hpp"
#include "explain/rules.hpp"
#include "spec/evaluate.hpp"

namespace gtune {
namespace {

using Rule = std::optional<Finding> (*)(const Subject&);

constexpr Rule k_rules[] = {
    latency_bound,      transfer_bound, kernels_bound,     serial_steps, launch_bound,
    few_waves,          tail_wave,      limited_occupancy, divergence,   uncoalesced_loads,
    uncoalesced_stores, bank_conflicts, shared_atomics,    spills,
};

/// A cause says what to change, so one that may cost this share of the time comes before what
/// bounds the kernel, and a smaller one unless the bound costs `k_ahead` more.
constexpr double k_large = 0.2;
constexpr double k_ahead = 0.25;
/// With more configurations, comparing each with each would take seconds.
constexpr std::size_t k_most_compared = 300;

/// The higher come first: what leaves little to gain, then rules whose removal often helped, then
/// costs.
std::tuple<bool, bool, double> rank_of(const Finding& finding) {
  const bool is_trusted = !finding.record || !is_weak(*finding.record);
  if (!finding.cost) return {finding.little_is_left, is_trusted, -1};
  const double cost = *finding.cost;
  const double ahead = is_of_bound(finding.rule) ? 0 : cost >= k_large ? 1 : k_ahead;
  return {finding.little_is_left, is_trusted, cost + ahead};
}

/// Configurations that differ from the subject's in one parameter, then the fastest others.
std::vector<const Subject*> configs_around(const Subject& subject,
                                           const std::vector<Subject>& counted) {
  const Config& config = subject.measured.config;
  std::vector<const Subject*> around;
  for (const Subject& each : counted) {
    // A baseline may have parameters, too, but be another kernel.
    const bool is_baseline = each.measured.phase == Phase::baseline;
    if (!is_baseline && each.measured.config != config) around.push_back(&each);
  }
  std::ranges::stable_sort(around, {},
                           [](const Subject* each) { return each->measured.timing->median_ms; });
  // Not the one of std::ranges, whose result clang 14 does not compile.
  std::stable_partition(around.begin(), around.end(), [&](const Subject* each) {
    return only_difference(config, each->measured.config).has_value();
  });
  if (around.size() > k_most_compared) around.resize(k_most_compared);
  return around;
}

/// Absent for rules whose cause is no amount, and for a baseline, which may be another kernel.
std::optional<MeasuredChanges> changes_of(const Finding& finding, const Subject& subject,
                                          const KernelSpec& spec,
                                          const std::vector<const Subject*>& around) {
  const Config& config = subject.measured.config;
  const auto own_amount = amount_of(finding.rule, subject);
  const bool is_baseline = subject.measured.phase == Phase::baseline;
  if (is_baseline || !own_amount) return std::nullopt;
  const Config own = existing_values(spec, config);
  std::vector<ConfigCause> causes = {{own, subject.measured.timing->median_ms, *own_amount}};
  for (const Subject* each : around) {
    const auto amount = amount_of(finding.rule, *each);
    if (!amount) continue;
    const Measurement& measured = each->measured;
    causes.push_back({existing_values(spec, measured.config), measured.timing->median_ms, *amount});
  }
  return measured_changes(own, causes, [](double before, double after) {
    return after <= k_clearly_less * before && after < before;
  });
}

}  // namespace

std::vector<Finding> find_findings(const Subject& subject, const MoveContext& context,
                                   const std::vector<Subject>& counted) {
  std::vector<Finding> findings;
  for (const Rule rule : k_rules) {
    if (auto found = rule(subject)) findings.push_back(std::move(*found));
  }
  // After the causes, also if the costs of both are unknown.
  for (Finding& bound : unit_bounds(subject)) findings.push_back(std::move(bound));
  const std::vector<const Subject*> around = configs_around(subject, counted);
  for (Finding& finding : findings) {
    finding.moves = find_moves(context, finding.goal);
    if (finding.moves.empty() && !finding.little_is_left) {
      finding.changes = changes_of(finding, subject, context.spec, around);
    }
    finding.record = known_record(finding.rule);
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return rank_of(a) > rank_of(b); });
  return findings;
}

}  // namespace gtune
