#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/line_profile.hpp"

namespace gtune {

/// Samples by name, the one with the most first.
using RankedCounts = std::vector<std::pair<std::string, std::uint64_t>>;

[[nodiscard]] RankedCounts ranked(const SampleCounts& counts);
/// The same over all lines of a profile.
[[nodiscard]] SampleCounts all_stalls(const LineProfile& profile);
[[nodiscard]] SampleCounts all_opcodes(const LineProfile& profile);

[[nodiscard]] double share_of(std::uint64_t samples, std::uint64_t all);
/// "long_scoreboard 62 %, wait 21 %": at most `most` names, none below one percent, of all.
[[nodiscard]] std::string shares_text(const SampleCounts& counts, std::size_t most);

}  // namespace gtune
