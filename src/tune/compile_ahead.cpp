#include "tune/compile_ahead.hpp"

#include <algorithm>
#include <vector>

#include "tune/baseline_phase.hpp"
#include "tune/winner_check.hpp"

namespace gtune {
namespace {

/// The search's correct configurations, the fastest first.
std::vector<const Measurement*> fastest_first(const ProblemState& state) {
  std::vector<const Measurement*> all;
  for (const Measurement& each : state.searched()) {
    if (each.ok()) all.push_back(&each);
  }
  std::stable_sort(all.begin(), all.end(), [](const Measurement* a, const Measurement* b) {
    return a->timing->median_ms < b->timing->median_ms;
  });
  return all;
}

void add_if_new(std::vector<KernelRequest>& all, KernelRequest request) {
  const bool is_known = std::any_of(all.begin(), all.end(), [&](const KernelRequest& each) {
    return each.compile == request.compile;
  });
  if (!is_known) all.push_back(std::move(request));
}

}  // namespace

void compile_ahead(const ProblemState& state) {
  const Environment& env = state.environment;
  if (env.pool == nullptr) return;
  std::vector<KernelRequest> requests;
  for (const Baseline& baseline : env.spec.baselines) {
    add_if_new(requests, baseline_kernel(state, baseline));
  }
  for (const Measurement* each : fastest_first(state)) {
    if (requests.size() >= env.pool->threads()) break;
    for (KernelRequest& request : kernels_to_check(state, each->config)) {
      add_if_new(requests, std::move(request));
    }
  }
  env.pool->compile_ahead(std::move(requests));
}

}  // namespace gtune
