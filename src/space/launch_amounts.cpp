#include "space/launch_amounts.hpp"

#include <cmath>
#include <utility>
#include <variant>

#include "spec/evaluate.hpp"

namespace gtune {
namespace {

/// Shared memory that every block takes for the system, from compute capability 8.0 on.
constexpr double k_system_shared_bytes = 1024;

double threads_of(const LaunchPlan& launch) {
  return launch.blocks() * static_cast<double>(launch.threads_per_block());
}

LaunchPlan largest_launch(const std::vector<StepPlan>& steps) {
  LaunchPlan largest;
  for (const StepPlan& step : steps) {
    const auto* launch = std::get_if<KernelLaunch>(&step.action);
    if (launch == nullptr || step.setup) continue;
    if (threads_of(launch->launch) > threads_of(largest)) largest = launch->launch;
  }
  return largest;
}

}  // namespace

ConfigAmounts launch_amounts(const KernelSpec& spec, const Problem& problem, DeviceFacts device) {
  return [&spec, &problem,
          device = std::move(device)](const Config& config) -> std::vector<double> {
    LaunchPlan launch;
    try {
      launch = largest_launch(plan_steps(spec, {problem, config, device}));
    } catch (const CaseError&) {
      // a recording of another version of the spec
    }
    return {std::log2(launch.blocks()), std::log2(static_cast<double>(launch.threads_per_block())),
            std::log2(static_cast<double>(launch.shared_bytes) + k_system_shared_bytes)};
  };
}

}  // namespace gtune
