#include "explain/static_facts.hpp"

#include <algorithm>
#include <cmath>

#include "spec/evaluate.hpp"

namespace gtune {
namespace {

/// Whether the values of all parameters on which a baseline's launch depends are stored with it.
bool is_known(const KernelSpec& spec, const LaunchSpec& launch, const Config& given) {
  std::vector<Expression> expressions = launch.grid;
  expressions.insert(expressions.end(), launch.block.begin(), launch.block.end());
  expressions.push_back(launch.shared_bytes);
  for (const Expression& expression : expressions) {
    for (const std::size_t slot : expression.slots()) {
      if (slot < spec.sizes.size() || slot >= spec.sizes.size() + spec.params.size()) continue;
      if (!given.find(spec.params[slot - spec.sizes.size()].name)) return false;
    }
  }
  return true;
}

/// The compiler's facts as they were when it was measured.
CompiledFacts stored_facts(const Measurement& measured) {
  if (!measured.resources) return {};
  return [usage = *measured.resources](const std::string&, const LaunchPlan&) { return usage; };
}

std::optional<LaunchPlan> find_launch(const KernelSpec& spec, const Problem& problem,
                                      const DeviceFacts& device, const Measurement& measured) {
  const auto is_unknown = [&](const std::vector<StepSpec>& steps) {
    return !measured.resources && needs_facts(spec, steps);
  };
  if (measured.phase != Phase::baseline) {
    if (is_unknown(spec.steps)) return std::nullopt;
    return only_launch(
        plan_steps(spec, {problem, measured.config, device}, stored_facts(measured)));
  }
  const auto baseline =
      std::find_if(spec.baselines.begin(), spec.baselines.end(),
                   [&](const Baseline& each) { return each.name == measured.label; });
  const KernelLaunchSpec* launch =
      baseline == spec.baselines.end() ? nullptr : only_launch(baseline->steps);
  if (launch == nullptr || !is_known(spec, launch->launch, measured.config) ||
      is_unknown(baseline->steps)) {
    return std::nullopt;
  }
  return only_launch(plan_baseline_steps(spec, *baseline, {problem, measured.config, device},
                                         stored_facts(measured)));
}

/// The share of idle places, if equal blocks run in full waves and a partial last one. With less
/// than one wave, the SM with the most blocks takes longest.
double idle_places(double blocks, double resident_per_sm, double sms) {
  const double wave = resident_per_sm * sms;
  const double places =
      blocks < wave ? std::ceil(blocks / sms) * sms : std::ceil(blocks / wave) * wave;
  return 1 - blocks / places;
}

std::optional<Roof> find_roof(std::optional<double> flops, std::optional<double> bytes,
                              const DeviceFacts& device, double median_ms) {
  std::optional<double> compute_ms, memory_ms;
  if (flops && device.fma_tflops) compute_ms = *flops / (*device.fma_tflops * 1e9);
  if (bytes && device.dram_gbps) memory_ms = *bytes / (*device.dram_gbps * 1e6);
  if (flops && !device.fma_tflops) return std::nullopt;
  // If the work is faster than FMA units allow, other units do it, such as tensor cores.
  if (compute_ms && *compute_ms > median_ms) compute_ms.reset();
  if (!compute_ms && !memory_ms) return std::nullopt;
  Roof roof;
  roof.of_compute = compute_ms.value_or(0) > memory_ms.value_or(0);
  roof.least_ms = std::max(compute_ms.value_or(0), memory_ms.value_or(0));
  roof.share = roof.least_ms / median_ms;
  return roof;
}

}  // namespace

StaticFacts find_static_facts(const KernelSpec& spec, const Problem& problem,
                              const DeviceFacts& device, const Measurement& measured) {
  StaticFacts facts;
  facts.launch = find_launch(spec, problem, device, measured);
  if (facts.launch) facts.blocks = facts.launch->blocks();
  if (facts.blocks && measured.resources && measured.resources->blocks_per_sm > 0 &&
      device.sm_count > 0) {
    const double resident = measured.resources->blocks_per_sm;
    facts.waves = *facts.blocks / (resident * device.sm_count);
    facts.idle_places = idle_places(*facts.blocks, resident, device.sm_count);
  }
  const std::optional<double> flops = work_flops(spec, problem);
  const std::optional<double> bytes = work_bytes(spec, problem);
  if (flops && bytes && *bytes > 0) facts.intensity = *flops / *bytes;
  const double median_ms = measured.timing->median_ms;
  facts.speed = throughput(median_ms, flops, bytes, device);
  facts.roof = find_roof(flops, bytes, device, median_ms);
  return facts;
}

}  // namespace gtune
