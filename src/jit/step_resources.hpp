#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jit/compile_request.hpp"
#include "model/device_facts.hpp"
#include "model/plan.hpp"
#include "spec/evaluate.hpp"

// What steps need of a device, of kernels that one compile made.
namespace gtune {

/// What plans of steps need to know of kernels. Nothing where there was no compile (null), or it
/// failed.
[[nodiscard]] CompiledFacts facts_of(const CompileResult* compiled, const DeviceFacts& device);

/// Of the launches together: the largest number of registers, bytes of stack, spills and shared
/// memory, and the least occupancy with what limits it. `kernels`: those of all launches.
[[nodiscard]] ResourceUsage resources_of(const std::vector<StepPlan>& steps,
                                         const std::vector<CompiledKernel>& kernels,
                                         const DeviceFacts& device);

/// Why the device would refuse one of the launches, in one line with numbers; nothing where it
/// would not.
[[nodiscard]] std::optional<std::string> why_steps_cannot_launch(
    const std::vector<StepPlan>& steps, const std::vector<CompiledKernel>& kernels,
    const DeviceFacts& device);

/// For a worker: with mangled names in place of entries.
[[nodiscard]] std::vector<StepPlan> with_kernel_names(std::vector<StepPlan> steps,
                                                      const std::vector<CompiledKernel>& kernels);

}  // namespace gtune
