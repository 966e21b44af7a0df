#include "measure/sampling.hpp"

#include "measure/early_discard.hpp"
#include "model/statistics.hpp"

namespace gtune {

std::optional<Timing> take_samples(SampleSource& source, const SamplingOptions& options,
                                   std::optional<double> best_ms, ThrottleFilter& throttle) {
  StoppingRule rule(options);
  const EarlyDiscard discard(best_ms);
  std::vector<double> clocks;
  bool discarded = false;
  bool exhausted = false;
  throttle.begin_configuration();
  while (!discarded && !exhausted && rule.verdict() == StoppingRule::Verdict::more) {
    const int wanted = rule.batch_size();
    const std::vector<Sample> batch = source.take(wanted);
    exhausted = batch.size() < static_cast<std::size_t>(wanted);
    for (const Sample& sample : batch) {
      if (throttle.should_repeat(sample.sm_clock_mhz)) continue;
      rule.add(sample.ms);
      if (sample.sm_clock_mhz) clocks.push_back(*sample.sm_clock_mhz);
    }
    discarded = discard.clearly_slower(rule.samples());
  }
  if (rule.samples().empty()) return std::nullopt;
  Timing timing = summarise(rule.samples());
  timing.discarded_early = discarded;
  timing.converged = rule.verdict() == StoppingRule::Verdict::converged;
  timing.throttled_samples = throttle.repeated();
  if (!clocks.empty()) timing.sm_clock_mhz = median(clocks);
  return timing;
}

}  // namespace gtune
