#include "profile/sampling_plan.hpp"

#include <algorithm>
#include <cmath>

namespace gtune {
namespace {

/// Enough for a kernel of a few us; an H200 drops samples at 2^7 cycles.
constexpr unsigned shortest_log2 = 10;
constexpr unsigned longest_log2 = 31;
/// A launch that takes longer is sampled less often: a million samples are enough.
constexpr double longest_at_shortest_ms = 4;
/// In coarse steps, since CUPTI takes long to change the period.
constexpr unsigned step_log2 = 3;
/// Short kernels are launched until they have run for so long together.
constexpr double least_ms = 0.5;
constexpr int most_launches = 20;

}  // namespace

SamplingPlan plan_sampling(double launch_ms) {
  SamplingPlan plan{shortest_log2};
  if (!(launch_ms > 0)) return plan;
  double longest_ms = longest_at_shortest_ms;
  while (launch_ms > longest_ms && plan.period_log2 + step_log2 <= longest_log2) {
    plan.period_log2 += step_log2;
    longest_ms *= 1U << step_log2;
  }
  const double launches = std::min<double>(most_launches, std::ceil(least_ms / launch_ms));
  plan.launches = std::max(1, static_cast<int>(launches));
  return plan;
}

}  // namespace gtune
