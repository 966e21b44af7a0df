#include "profile/sample_lines.hpp"

#include "profile/line_samples.hpp"
#include "profile/line_table.hpp"
#include "profile/sampling_plan.hpp"

namespace gtune {

std::optional<LineProfile> sample_lines(PcSampler& sampler, const ReplayedLaunch& kernel,
                                        double launch_ms, std::span<const std::byte> cubin,
                                        Disassembler& disassembler) {
  const SamplingPlan plan = plan_sampling(launch_ms);
  SampledAddresses sampled;
  for (int i = 0; i < plan.launches; ++i) {
    kernel.prepare();
    sampled.add(sampler.sample(plan.period_log2, kernel.launch));
  }
  const LineTable table(cubin);
  const auto disassembly = disassembler.disassemble(cubin);
  LineProfile profile = profile_of_lines(
      sampled, {[&](const std::string& function, std::uint64_t offset) {
                  return table.line_of(function, offset);
                },
                [&](const std::string& function, std::uint64_t offset) {
                  return disassembly ? disassembly->opcode_of(function, offset) : std::string();
                }});
  if (profile.samples == 0) return std::nullopt;
  profile.period_cycles = plan.period_cycles();
  profile.launches = plan.launches;
  return profile;
}

}  // namespace gtune
