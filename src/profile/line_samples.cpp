#include "profile/line_samples.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "profile/stall_reason.hpp"
#include "system/demangled.hpp"

namespace gtune {
namespace {

/// File, line and mangled function.
using Place = std::tuple<std::string, int, std::string>;

/// The reason of most samples.
std::string main_stall(const SampleCounts& stalls) {
  const auto most =
      std::max_element(stalls.begin(), stalls.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == stalls.end() ? "" : most->first;
}

SampleCounts stalls_of(const AddressSamples& address) {
  SampleCounts stalls;
  for (const auto& [name, samples] : address.stalls) {
    const auto reason = stall_reason(name);
    if (reason && samples > 0) stalls[*reason] += samples;
  }
  return stalls;
}

void add(LineSamples& line, const AddressSamples& address, const SampleCounts& stalls,
         const std::string& opcode) {
  const std::uint64_t samples = total_of(stalls);
  for (const auto& [reason, count] : stalls) line.stalls[reason] += count;
  if (!opcode.empty()) line.opcodes[opcode.substr(0, opcode.find('.'))] += samples;
  ++line.instructions;
  line.hottest.push_back({address.offset, opcode, samples, main_stall(stalls)});
}

/// Keeps the lines and instructions with the most samples.
void keep_hottest(LineProfile& profile) {
  const auto by_samples = [](const auto& a, const auto& b) { return a.samples > b.samples; };
  for (LineSamples& line : profile.lines) {
    std::stable_sort(line.hottest.begin(), line.hottest.end(), by_samples);
    if (line.hottest.size() > k_most_hottest) line.hottest.resize(k_most_hottest);
  }
  std::stable_sort(
      profile.lines.begin(), profile.lines.end(),
      [](const LineSamples& a, const LineSamples& b) { return a.samples() > b.samples(); });
  if (profile.lines.size() > k_most_lines) profile.lines.resize(k_most_lines);
}

/// An instruction may have several records, from several reads.
std::map<std::pair<std::string, std::uint64_t>, AddressSamples> by_address(
    const SampledAddresses& sampled) {
  std::map<std::pair<std::string, std::uint64_t>, AddressSamples> all;
  for (const AddressSamples& each : sampled.addresses) {
    AddressSamples& sum = all[{each.function, each.offset}];
    sum.function = each.function;
    sum.offset = each.offset;
    for (const auto& [name, samples] : each.stalls) sum.stalls[name] += samples;
  }
  return all;
}

}  // namespace

LineProfile profile_of_lines(const SampledAddresses& sampled, const InstructionFacts& facts) {
  LineProfile profile;
  profile.dropped = sampled.dropped;
  std::map<Place, LineSamples> lines;
  for (const auto& [key, address] : by_address(sampled)) {
    const SampleCounts stalls = stalls_of(address);
    if (stalls.empty()) continue;
    const SourceLine source = facts.line_of(address.function, address.offset);
    LineSamples& line = lines[{source.file, source.line, address.function}];
    add(line, address, stalls, facts.opcode_of(address.function, address.offset));
    profile.samples += total_of(stalls);
  }
  for (auto& [place, line] : lines) {
    std::tie(line.file, line.line, line.function) = place;
    line.function = demangled(line.function);
    profile.lines.push_back(std::move(line));
  }
  keep_hottest(profile);
  return profile;
}

}  // namespace gtune
