#include "explain/static_facts.hpp"

#include <algorithm>
#include <cmath>

#include "spec/evaluate.hpp"

namespace gtune {
namespace {

/// Whether the values of all parameters on which a baseline's only launch depends are stored with
/// it; with several steps, those of all parameters.
bool is_known(const KernelSpec& spec, const Baseline& baseline, const Case& of) {
  const std::vector<std::int64_t> slots = slot_values(spec, of);
  const auto is_given = [&](const Parameter& each) {
    return of.config.find(each.name) || (each.when && is_violated(*each.when, slots));
  };
  const KernelLaunchSpec* only = only_launch(baseline.steps);
  if (only == nullptr) return std::all_of(spec.params.begin(), spec.params.end(), is_given);
  std::vector<Expression> expressions = only->launch.grid;
  expressions.insert(expressions.end(), only->launch.block.begin(), only->launch.block.end());
  expressions.push_back(only->launch.shared_bytes);
  for (const Expression& expression : expressions) {
    for (const std::size_t slot : expression.slots()) {
      if (slot < spec.sizes.size() || slot >= spec.sizes.size() + spec.params.size()) continue;
      if (!is_given(spec.params[slot - spec.sizes.size()])) return false;
    }
  }
  return true;
}

/// The compiler's facts as they were when it was measured.
CompiledFacts stored_facts(const Measurement& measured) {
  if (!measured.resources) return {};
  return [usage = *measured.resources](const std::string&, const LaunchPlan&) { return usage; };
}

/// As they were when it was measured; empty if they depend on something that is not stored.
std::vector<StepPlan> find_steps(const KernelSpec& spec, const Case& of,
                                 const Measurement& measured) {
  const auto is_unknown = [&](const std::vector<StepSpec>& steps) {
    return !measured.resources && needs_facts(spec, steps);
  };
  if (measured.phase != Phase::baseline) {
    if (is_unknown(spec.steps)) return {};
    return plan_steps(spec, of, stored_facts(measured));
  }
  const auto baseline =
      std::find_if(spec.baselines.begin(), spec.baselines.end(),
                   [&](const Baseline& each) { return each.name == measured.label; });
  if (baseline == spec.baselines.end() || !is_known(spec, *baseline, of) ||
      is_unknown(baseline->steps)) {
    return {};
  }
  return plan_baseline_steps(spec, *baseline, of, stored_facts(measured));
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
  if (flops && device.limits.fma_tflops) compute_ms = *flops / (*device.limits.fma_tflops * 1e9);
  if (bytes && device.limits.dram_gbps) memory_ms = *bytes / (*device.limits.dram_gbps * 1e6);
  if (flops && !device.limits.fma_tflops) return std::nullopt;
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
  const Case of{problem, measured.config, device};
  const std::vector<StepPlan> steps = find_steps(spec, of, measured);
  facts.launch = only_launch(steps);
  const bool has_copies = std::any_of(steps.begin(), steps.end(), [](const StepPlan& each) {
    return std::holds_alternative<BufferCopy>(each.action);
  });
  facts.steps =
      run_steps(steps, has_copies ? plan_arguments(spec, of) : std::vector<ArgumentPlan>());
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
