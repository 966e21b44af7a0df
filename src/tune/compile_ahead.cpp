#include "tune/compile_ahead.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "tune/baseline_phase.hpp"
#include "tune/open_problem.hpp"
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

constexpr std::size_t draws_per_compiler = 4;

}  // namespace

void compile_first(const ProblemState& state, std::span<const std::size_t> first, bool all) {
  const Environment& env = state.environment;
  if (env.pool == nullptr) return;
  std::vector<KernelRequest> requests;
  const auto add = [&](std::size_t index) {
    const Config config = state.space.config(index);
    add_if_new(requests, env.request(env.spec.steps, env.case_on_lead(state.problem, config)));
  };
  const Config any = state.space.config(0);
  if (auto reference = request_for_reference(env, env.case_on_lead(state.problem, any))) {
    requests.push_back(std::move(*reference));
  }
  for (const std::size_t index : first) add(index);
  const std::size_t compilers = env.pool->threads();
  std::mt19937_64 random(state.settings.seed);
  for (std::size_t i = 0; !all && i < draws_per_compiler * compilers; ++i) {
    if (requests.size() >= compilers) break;
    add(random() % state.space.size());
  }
  env.pool->compile_ahead(std::move(requests));
}

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
