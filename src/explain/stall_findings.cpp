#include "explain/stall_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

#include "explain/rules.hpp"
#include "explain/sample_shares.hpp"
#include "explain/unit_use.hpp"

namespace gtune {
namespace {

/// Below this, a stall is not worth a change.
constexpr double k_least_stall = 0.1;
constexpr double k_least_line = 0.01;
constexpr double k_least_cause = 0.0005;  // of a line that is named for its instructions
/// Not a stall: the warp issues.
constexpr std::string_view k_issuing = "selected";
/// A unit that works this much of the time is saturated: more requests in flight do not help.
constexpr double k_saturated = 0.8;
constexpr const char* k_little_is_left =
    "little is left to gain: device memory works at its limit, whatever warps wait for";
/// Shares of one configuration may differ by less from run to run.
constexpr double k_clear_fall = 0.02;
constexpr std::size_t k_most_stalled_lines = 3;

// The units that serve what a stall waits for.
constexpr Unit k_by_device_memory[] = {Unit::dram, Unit::l2};
constexpr Unit k_by_textures[] = {Unit::dram, Unit::l2, Unit::texture};
constexpr Unit k_by_atomics[] = {Unit::atomics};
constexpr Unit k_by_l1[] = {Unit::l1};
constexpr Unit k_by_lsu[] = {Unit::l1, Unit::lsu};
constexpr Unit k_by_xu[] = {Unit::xu};
constexpr Unit k_by_pipes[] = {Unit::fma, Unit::alu, Unit::fp64, Unit::xu, Unit::tensor};

/// What a stall means if the kernel has one of these instructions.
struct StallRule {
  std::string_view stall;
  std::string_view opcodes;  // words, without modifiers; empty: whatever the kernel does
  std::string_view waits_for;
  std::string_view advice;
  std::span<const Unit> served_by = {};
  std::string_view busy_advice = {};  // if one of these units is busy; empty: the same advice
};

/// Of the rules for a stall, the one with the most samples of its instructions counts.
constexpr StallRule k_stall_rules[] = {
    {"long_scoreboard", "LDL",
     "loads from local memory (spilled registers, arrays with computed indices)",
     "fewer registers per thread: a smaller tile, or a launch bound that leaves more; constant "
     "indices"},
    {"long_scoreboard", "LDGSTS UBLKCP UTMALDG", "async copies to shared memory",
     "copies that begin earlier: more stages, or deeper ones; less to copy per result: larger "
     "tiles",
     k_by_device_memory, "less to copy per result: larger tiles, coalesced rows"},
    {"long_scoreboard", "LDG LD", "loads from global memory",
     "more loads under way in each thread (wider words, unrolled loops), more warps, or fewer "
     "loads: tiles in shared memory and registers",
     k_by_device_memory, "fewer bytes: coalesced loads, tiles in shared memory and registers"},
    {"long_scoreboard", "TEX TLD TLD4", "texture fetches",
     "more fetches under way, or plain loads where no filter is needed", k_by_textures,
     "fewer fetches, or plain loads where no filter is needed"},
    {"long_scoreboard", "ATOMG ATOM RED REDG", "atomics in global memory",
     "fewer atomics: combine values in a warp or a block first", k_by_atomics},
    {"short_scoreboard", "ATOMS", "atomics in shared memory",
     "fewer of them that meet in an address: combine values in a warp, or more copies", k_by_l1},
    {"short_scoreboard", "LDS LDSM", "loads from shared memory",
     "fewer and wider loads, in different banks, that begin earlier; larger tiles in registers",
     k_by_l1, "fewer and wider loads, in different banks; larger tiles in registers"},
    {"short_scoreboard", "MUFU", "special functions",
     "fewer of rsqrt, exp, sin and divisions, or more independent ones", k_by_xu,
     "fewer of rsqrt, exp, sin and divisions"},
    {"short_scoreboard", "SHFL", "shuffles between lanes",
     "fewer shuffles: each thread combines more values by itself first", k_by_lsu},
    {"short_scoreboard", "S2R S2UR",
     "indices of the thread and the block, which each block reads when it starts",
     "more work for each block"},
    {"mio_throttle", "ATOMS", "a place in the queue of shared memory, which atomics fill",
     "fewer atomics: combine values in a warp first"},
    {"mio_throttle", "LDS STS LDSM SHFL LDGSTS", "a place in the queue of shared memory",
     "fewer and wider accesses to shared memory, spread between arithmetic", k_by_lsu},
    {"lg_throttle", "LDG STG LD ST LDL STL ATOMG RED REDG", "a place in the queue of global memory",
     "fewer and wider accesses to global memory"},
    {"tex_throttle", "", "a place in the texture unit's queue", "fewer fetches"},
    {"drain", "STG ST RED REDG", "stores to leave before the block ends",
     "wider and coalesced stores, or blocks that do more work each", k_by_device_memory},
    {"barrier", "", "other warps at a barrier",
     "smaller blocks, or more blocks on each SM, so that others work meanwhile; fewer barriers; "
     "work that all warps share evenly"},
    {"math_pipe_throttle", "", "a busy arithmetic pipe",
     "good if it does the work itself; else fewer other instructions", k_by_pipes},
    {"gmma", "", "tensor cores", "good if they do the work; else more products under way"},
    {"wait", "", "the fixed time of the instruction before",
     "more independent instructions in a row, or more warps"},
    {"branch_resolving", "", "the target of a branch", "fewer branches: unrolled loops"},
    {"no_instructions", "", "the instruction cache", "shorter loop bodies: less unrolling"},
    {"imc_miss", "", "constants and kernel arguments that are not cached", "fewer of them"},
    {"membar", "", "a memory fence", "fewer fences, or fences of a smaller scope"},
    {"sleeping", "", "the end of their own sleep", "shorter sleeps while spinning"},
    {"not_selected", "", "their turn: other warps issue", "none: there are enough warps"},
};

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

/// The samples of any of these names.
std::uint64_t samples_of(const SampleCounts& counts, std::string_view names) {
  std::uint64_t samples = 0;
  for (const auto& [name, count] : counts) {
    if (has_word(names, name)) samples += count;
  }
  return samples;
}

/// Null if no rule fits.
const StallRule* rule_for(const std::string& stall, const SampleCounts& opcodes) {
  const StallRule* best = nullptr;
  std::uint64_t most = 0;
  for (const StallRule& rule : k_stall_rules) {
    if (rule.stall != stall) continue;
    if (rule.opcodes.empty()) return &rule;
    const std::uint64_t samples = samples_of(opcodes, rule.opcodes);
    if (samples <= most) continue;
    best = &rule;
    most = samples;
  }
  return best;
}

/// What helps, and how busy the unit is that serves what the stall waits for, if it is busy.
std::string advice_of(const StallRule& rule, const std::vector<UnitUse>& units) {
  const UnitUse* busiest = nullptr;
  for (const UnitUse& each : units) {
    if (std::find(rule.served_by.begin(), rule.served_by.end(), each.unit) ==
        rule.served_by.end()) {
      continue;
    }
    if (busiest == nullptr || each.share > busiest->share) busiest = &each;
  }
  if (busiest == nullptr || busiest->share < k_saturated) return std::string(rule.advice);
  const std::string busy = fmt::format("({} is busy {:.0f} % of the time)",
                                       to_string(busiest->unit), 100 * busiest->share);
  if (rule.busy_advice.empty()) return fmt::format("{} {}", rule.advice, busy);
  return fmt::format("{}; more at once does not help {}", rule.busy_advice, busy);
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

/// A sampled configuration and its stalls over all lines.
struct StalledConfig {
  const SampledConfig* sampled;
  SampleCounts stalls;

  [[nodiscard]] double share(const std::string& stall) const {
    const auto found = stalls.find(stall);
    return found == stalls.end() ? 0 : share_of(found->second, sampled->profile.samples);
  }
};

std::vector<ParameterChange> changes_of(const std::string& stall, const Config& explained,
                                        const std::vector<StalledConfig>& all) {
  std::vector<ConfigCause> causes;
  for (const StalledConfig& each : all) {
    causes.push_back({each.sampled->config, each.sampled->ms, each.share(stall)});
  }
  return measured_changes(
             explained, causes,
             [](double before, double after) { return after <= before - k_clear_fall; })
      .helpful;
}

}  // namespace

std::vector<StallFinding> find_stalls(const SampledConfig& explained,
                                      const std::vector<SampledConfig>& sampled,
                                      const Subject& subject) {
  const std::vector<UnitUse> units = unit_uses(subject);
  const LineProfile& profile = explained.profile;
  const SampleCounts opcodes = all_opcodes(profile);
  std::vector<StalledConfig> all;
  for (const SampledConfig& each : sampled) all.push_back({&each, all_stalls(each.profile)});
  std::vector<StallFinding> findings;
  for (const auto& [stall, samples] : ranked(all_stalls(profile))) {
    const double share = share_of(samples, profile.samples);
    if (share < k_least_stall) break;
    if (stall == k_issuing) continue;
    StallFinding finding;
    finding.stall = stall;
    finding.share = share;
    finding.lines = lines_with(profile, k_least_line, [&, &name = stall](const LineSamples& line) {
      return samples_of(line.stalls, name);
    });
    if (const StallRule* rule = rule_for(stall, opcodes)) {
      finding.waits_for = rule->waits_for;
      finding.advice = is_as_fast_as_copies(subject) ? k_little_is_left : advice_of(*rule, units);
      finding.issued_by = lines_with(profile, k_least_cause, [&](const LineSamples& line) {
        return samples_of(line.opcodes, rule->opcodes);
      });
    }
    finding.effects = changes_of(stall, explained.config, all);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace gtune
