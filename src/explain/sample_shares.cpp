#include "explain/sample_shares.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gtune {
namespace {

constexpr double k_least_in_list = 0.01;

SampleCounts sum_of(const LineProfile& profile, SampleCounts LineSamples::*counts) {
  SampleCounts sum;
  for (const LineSamples& line : profile.lines) {
    for (const auto& [name, samples] : line.*counts) sum[name] += samples;
  }
  return sum;
}

}  // namespace

RankedCounts ranked(const SampleCounts& counts) {
  RankedCounts ranks(counts.begin(), counts.end());
  std::stable_sort(ranks.begin(), ranks.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return ranks;
}

SampleCounts all_stalls(const LineProfile& profile) {
  return sum_of(profile, &LineSamples::stalls);
}

SampleCounts all_opcodes(const LineProfile& profile) {
  return sum_of(profile, &LineSamples::opcodes);
}

double share_of(std::uint64_t samples, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(samples) / static_cast<double>(all);
}

std::string shares_text(const SampleCounts& counts, std::size_t most) {
  const std::uint64_t all = total_of(counts);
  std::string text;
  for (const auto& [name, samples] : ranked(counts)) {
    const double share = share_of(samples, all);
    if (most-- == 0 || share < k_least_in_list) break;
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", name, 100 * share);
  }
  return text;
}

}  // namespace gtune
