#include "explain/stall_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <string_view>
#include <tuple>

#include "explain/only_difference.hpp"
#include "explain/rules.hpp"
#include "explain/sample_shares.hpp"

namespace gtune {
namespace {

/// Below this, a stall is not worth a change.
constexpr double k_least_stall = 0.1;
constexpr double k_least_line = 0.01;
/// Instructions of which a kernel has fewer samples hardly cause its stalls.
constexpr double k_least_cause = 0.0005;
/// Shares of one configuration may differ by less from run to run.
constexpr double k_clear_fall = 0.02;
constexpr std::size_t k_most_stalled_lines = 3;
constexpr std::size_t k_most_effects = 3;

/// What a stall means if the kernel has one of these instructions.
struct StallRule {
  std::string_view stall;
  std::vector<std::string_view> opcodes;  // without modifiers; none: whatever the kernel does
  std::vector<Unit> served_by;
  std::string_view waits_for;
  std::string_view advice;
};

/// The first rule that fits counts for its stall.
const std::vector<StallRule>& stall_rules() {
  static const std::vector<StallRule> rules = {
      {"long_scoreboard",
       {"LDL"},
       {Unit::dram, Unit::l2, Unit::l1},
       "spilled registers, in local memory",
       "fewer registers per thread: a smaller tile, or a launch bound that leaves more"},
      {"long_scoreboard",
       {"LDGSTS", "UBLKCP", "UTMALDG"},
       {Unit::dram, Unit::l2},
       "async copies to shared memory",
       "copies that begin earlier: more stages, or deeper ones; less to copy per result: larger "
       "tiles"},
      {"long_scoreboard",
       {"LDG", "LD"},
       {Unit::dram, Unit::l2, Unit::l1},
       "loads from global memory",
       "more loads under way in each thread (wider words, unrolled loops), more warps, or fewer "
       "loads: tiles in shared memory and registers"},
      {"long_scoreboard",
       {"TEX", "TLD", "TLD4"},
       {Unit::dram, Unit::l2, Unit::texture},
       "texture fetches",
       "more fetches under way, or plain loads where no filter is needed"},
      {"long_scoreboard",
       {"ATOMG", "ATOM", "RED"},
       {Unit::atomics},
       "atomics in global memory",
       "fewer atomics: combine values in a warp or a block first"},
      {"short_scoreboard",
       {"ATOMS"},
       {Unit::l1},
       "atomics in shared memory",
       "fewer of them that meet in an address: combine values in a warp, or more copies"},
      {"short_scoreboard",
       {"LDS", "LDSM"},
       {Unit::l1},
       "loads from shared memory",
       "fewer and wider loads, in different banks, that begin earlier; larger tiles in registers"},
      {"short_scoreboard",
       {"MUFU"},
       {Unit::xu},
       "special functions",
       "fewer of rsqrt, exp, sin and divisions, or more independent ones"},
      {"mio_throttle",
       {"ATOMS"},
       {},
       "a place in the queue of shared memory, which atomics fill",
       "fewer atomics: combine values in a warp first"},
      {"mio_throttle",
       {"LDS", "STS", "LDSM", "SHFL", "LDGSTS"},
       {},
       "a place in the queue of shared memory",
       "fewer and wider accesses to shared memory, spread between arithmetic"},
      {"lg_throttle",
       {"LDG", "STG", "LD", "ST", "LDL", "STL", "ATOMG", "RED"},
       {},
       "a place in the queue of global memory",
       "fewer and wider accesses to global memory"},
      {"tex_throttle", {}, {}, "a place in the texture unit's queue", "fewer fetches"},
      {"drain",
       {"STG", "ST", "RED"},
       {Unit::dram, Unit::l2},
       "stores to leave before the block ends",
       "blocks that do more work each, or wider and coalesced stores"},
      {"barrier",
       {"BAR", "WARPSYNC"},
       {},
       "other warps at a barrier",
       "smaller blocks, or more blocks on each SM, so that others work meanwhile; fewer barriers; "
       "work that all warps share evenly"},
      {"math_pipe_throttle",
       {},
       {},
       "a busy arithmetic pipe",
       "good if it does the work itself; else fewer other instructions"},
      {"wait",
       {},
       {},
       "the fixed time of the instruction before",
       "more warps, or more independent instructions in a row"},
      {"branch_resolving", {}, {}, "the target of a branch", "fewer branches: unrolled loops"},
      {"no_instructions", {}, {}, "the instruction cache", "shorter loop bodies: less unrolling"},
      {"imc_miss", {}, {}, "constants and kernel arguments that are not cached", "fewer of them"},
      {"membar", {}, {}, "a memory fence", "fewer fences, or fences of a smaller scope"},
      {"sleeping", {}, {}, "the end of their own sleep", "shorter sleeps while spinning"},
      {"not_selected",
       {},
       {},
       "their turn: other warps issue",
       "nothing to hide: fewer warps with larger tiles would do as well"},
  };
  return rules;
}

std::uint64_t samples_of(const SampleCounts& counts, std::span<const std::string_view> names) {
  std::uint64_t samples = 0;
  for (const std::string_view name : names) {
    const auto found = counts.find(std::string(name));
    if (found != counts.end()) samples += found->second;
  }
  return samples;
}

const StallRule* rule_for(const std::string& stall, const LineProfile& profile) {
  const SampleCounts opcodes = all_opcodes(profile);
  for (const StallRule& rule : stall_rules()) {
    if (rule.stall != stall) continue;
    const std::uint64_t samples = samples_of(opcodes, rule.opcodes);
    if (rule.opcodes.empty() || share_of(samples, profile.samples) >= k_least_cause) return &rule;
  }
  return nullptr;
}

/// The rule's advice, or that the unit which serves what it waits for is busy.
std::string advice_of(const StallRule& rule, const std::vector<UnitUse>& units) {
  const UnitUse* busiest = nullptr;
  for (const UnitUse& each : units) {
    if (std::find(rule.served_by.begin(), rule.served_by.end(), each.unit) ==
        rule.served_by.end()) {
      continue;
    }
    if (busiest == nullptr || each.share > busiest->share) busiest = &each;
  }
  if (busiest == nullptr || busiest->share < k_high_use) return std::string(rule.advice);
  return fmt::format("{} works {:.0f} % of the time: fewer bytes or accesses, not more at once",
                     to_string(busiest->unit), 100 * busiest->share);
}

/// The lines with the most samples that `samples_in` counts.
template <typename SamplesIn>
std::vector<StalledLine> lines_with(const LineProfile& profile, double least,
                                    SamplesIn samples_in) {
  std::vector<StalledLine> lines;
  for (const LineSamples& line : profile.lines) {
    const double share = share_of(samples_in(line), profile.samples);
    if (share >= least) lines.push_back({line.file, line.line, share});
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  if (lines.size() > k_most_stalled_lines) lines.resize(k_most_stalled_lines);
  return lines;
}

double stall_share(const LineProfile& profile, const std::string& stall) {
  return share_of(samples_of(all_stalls(profile), std::vector<std::string_view>{stall}),
                  profile.samples);
}

/// Adds a pair to the mean.
void add_pair(StallEffect& effect, double before, double after, double time_change) {
  const double n = effect.pairs;
  const auto joined = [n](double mean, double value) { return (mean * n + value) / (n + 1); };
  effect.share_before = joined(effect.share_before, before);
  effect.share_after = joined(effect.share_after, after);
  effect.time_change = joined(effect.time_change, time_change);
  ++effect.pairs;
}

using EffectKey = std::tuple<std::string, std::int64_t, std::int64_t>;

/// The effect of each change of one parameter away from the explained configuration's value.
std::map<EffectKey, StallEffect> effects_of(const std::string& stall,
                                            const SampledConfig& explained,
                                            const std::vector<SampledConfig>& sampled) {
  std::map<EffectKey, StallEffect> effects;
  std::map<EffectKey, StallEffect> own;
  for (const SampledConfig& from : sampled) {
    for (const SampledConfig& to : sampled) {
      const auto parameter = only_difference(from.config, to.config);
      if (!parameter || explained.config.find(*parameter) != from.config.find(*parameter)) continue;
      const EffectKey key{*parameter, *from.config.find(*parameter), *to.config.find(*parameter)};
      const bool is_own = from.config == explained.config;
      add_pair(is_own ? own[key] : effects[key], stall_share(from.profile, stall),
               stall_share(to.profile, stall), to.ms / from.ms - 1);
    }
  }
  for (auto& [key, effect] : own) {
    effect.of_own_config = true;
    effects[key] = effect;  // says more than the mean of others
  }
  return effects;
}

std::vector<StallEffect> best_effects(const std::string& stall, const SampledConfig& explained,
                                      const std::vector<SampledConfig>& sampled) {
  std::vector<StallEffect> best;
  for (auto& [key, effect] : effects_of(stall, explained, sampled)) {
    if (effect.share_after > effect.share_before - k_clear_fall) continue;
    std::tie(effect.parameter, effect.from, effect.to) = key;
    best.push_back(effect);
  }
  std::stable_sort(best.begin(), best.end(), [](const StallEffect& a, const StallEffect& b) {
    return a.time_change < b.time_change;
  });
  if (best.size() > k_most_effects) best.resize(k_most_effects);
  return best;
}

}  // namespace

std::vector<StallFinding> find_stalls(const SampledConfig& explained,
                                      const std::vector<SampledConfig>& sampled,
                                      const std::vector<UnitUse>& units) {
  const LineProfile& profile = explained.profile;
  std::vector<StallFinding> findings;
  for (const auto& [stall, samples] : ranked(all_stalls(profile))) {
    const double share = share_of(samples, profile.samples);
    if (share < k_least_stall) break;
    const StallRule* rule = rule_for(stall, profile);
    if (rule == nullptr) continue;
    StallFinding finding;
    finding.stall = stall;
    finding.share = share;
    finding.waits_for = rule->waits_for;
    finding.advice = advice_of(*rule, units);
    finding.lines = lines_with(profile, k_least_line, [&](const LineSamples& line) {
      return samples_of(line.stalls, std::vector<std::string_view>{stall});
    });
    finding.issued_by = lines_with(profile, k_least_cause, [&](const LineSamples& line) {
      return samples_of(line.opcodes, rule->opcodes);
    });
    finding.effects = best_effects(stall, explained, sampled);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace gtune
