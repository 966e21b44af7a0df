#include "measure/sampling.hpp"

#include "measure/early_discard.hpp"
#include "measure/statistics.hpp"

namespace gtune {

Timing take_samples(SampleSource& source, const SamplingOptions& options,
                    std::optional<double> best_ms, ThrottleFilter& throttle) {
  StoppingRule rule(options);
  const EarlyDiscard discard(best_ms);
  std::vector<double> clocks;
  bool discarded = false;
  throttle.begin_configuration();
  while (!discarded && rule.verdict() == StoppingRule::Verdict::more) {
    for (const Sample& sample : source.take(rule.batch_size())) {
      if (throttle.should_repeat(sample.sm_clock_mhz)) continue;
      rule.add(sample.ms);
      if (sample.sm_clock_mhz) clocks.push_back(*sample.sm_clock_mhz);
    }
    discarded = discard.clearly_slower(rule.samples());
  }
  Timing timing = summarise(rule.samples());
  timing.discarded_early = discarded;
  timing.converged = rule.verdict() == StoppingRule::Verdict::converged;
  timing.throttled_samples = throttle.repeated();
  if (!clocks.empty()) timing.sm_clock_mhz = median(clocks);
  return timing;
}

}  // namespace gtune
