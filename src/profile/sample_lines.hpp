#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "model/line_profile.hpp"
#include "profile/disassembly.hpp"
#include "profile/pc_sampler.hpp"
#include "profile/replayed_launch.hpp"

namespace gtune {

/// Samples a kernel's source lines. `launch_ms`: the time of a launch. `cubin`: the kernel's, which
/// must have been loaded after the sampler was opened, and stay loaded as long. Absent if CUPTI has
/// no samples. Throws CuptiError, CountersUnavailable, and what the launches throw.
[[nodiscard]] std::optional<LineProfile> sample_lines(PcSampler& sampler,
                                                      const ReplayedLaunch& kernel,
                                                      double launch_ms,
                                                      std::span<const std::byte> cubin,
                                                      Disassembler& disassembler);

}  // namespace gtune
