#include "jit/step_resources.hpp"

#include <algorithm>

#include "jit/launch_bounds.hpp"
#include "jit/occupancy.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

const CompiledKernel& find_kernel(const std::vector<CompiledKernel>& kernels,
                                  const std::string& entry) {
  const auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [&](const CompiledKernel& each) { return each.entry == entry; });
  if (found == kernels.end()) {
    throw UserError(ExitCode::failed, "'" + entry + "' is not among the compiled kernels");
  }
  return *found;
}

void add(ResourceUsage& all, const ResourceUsage& one) {
  all.registers = std::max(all.registers, one.registers);
  all.stack_bytes = std::max(all.stack_bytes, one.stack_bytes);
  all.spill_store_bytes = std::max(all.spill_store_bytes, one.spill_store_bytes);
  all.spill_load_bytes = std::max(all.spill_load_bytes, one.spill_load_bytes);
  all.static_shared_bytes = std::max(all.static_shared_bytes, one.static_shared_bytes);
  all.dynamic_shared_bytes = std::max(all.dynamic_shared_bytes, one.dynamic_shared_bytes);
  all.cubin_bytes = std::max(all.cubin_bytes, one.cubin_bytes);
  if (one.occupancy_limit.empty() || all.theoretical_occupancy <= one.theoretical_occupancy) return;
  all.theoretical_occupancy = one.theoretical_occupancy;
  all.blocks_per_sm = one.blocks_per_sm;
  all.occupancy_limit = one.occupancy_limit;
}

}  // namespace

CompiledFacts facts_of(const CompileResult* compiled, const DeviceFacts& device) {
  if (compiled == nullptr || !compiled->ok) return {};
  return [kernels = compiled->kernels, device](const std::string& entry, const LaunchPlan& launch) {
    return with_occupancy(find_kernel(kernels, entry).resources, launch, device);
  };
}

ResourceUsage resources_of(const std::vector<StepPlan>& steps,
                           const std::vector<CompiledKernel>& kernels, const DeviceFacts& device) {
  std::optional<ResourceUsage> all;
  for (const StepPlan& step : steps) {
    const auto* launch = std::get_if<KernelLaunch>(&step.action);
    if (launch == nullptr) continue;
    const ResourceUsage one =
        with_occupancy(find_kernel(kernels, launch->kernel).resources, launch->launch, device);
    if (all) {
      add(*all, one);
    } else {
      all = one;
    }
  }
  return all.value_or(ResourceUsage{});
}

std::optional<std::string> why_entry_cannot_launch(const CompileResult& compiled,
                                                   const std::string& entry,
                                                   const LaunchPlan& launch,
                                                   const DeviceFacts& device) {
  const CompiledKernel& kernel = find_kernel(compiled.kernels, entry);
  if (auto why = why_it_cannot_launch(kernel.resources, launch, device)) return why;
  return why_out_of_bounds(launch_bounds_in(compiled.cubin, kernel.name), launch);
}

std::optional<std::string> why_steps_cannot_launch(const std::vector<StepPlan>& steps,
                                                   const CompileResult& compiled,
                                                   const DeviceFacts& device) {
  for (const StepPlan& step : steps) {
    const auto* launch = std::get_if<KernelLaunch>(&step.action);
    if (launch == nullptr) continue;
    const auto why = why_entry_cannot_launch(compiled, launch->kernel, launch->launch, device);
    if (why) return step.name.empty() ? *why : "step " + step.name + ": " + *why;
  }
  return std::nullopt;
}

std::vector<StepPlan> with_kernel_names(std::vector<StepPlan> steps,
                                        const std::vector<CompiledKernel>& kernels) {
  for (StepPlan& step : steps) {
    if (auto* launch = std::get_if<KernelLaunch>(&step.action)) {
      launch->kernel = find_kernel(kernels, launch->kernel).name;
    }
  }
  return steps;
}

}  // namespace gtune
