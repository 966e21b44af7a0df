#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jit/compile_request.hpp"
#include "model/device_facts.hpp"
#include "model/plan.hpp"
#include "spec/evaluate.hpp"

// The resources that the steps of one compile need. A step whose entry is not among the compiled
// kernels makes these functions throw UserError(failed).
namespace gtune {

/// The facts about compiled kernels that plans of steps need. Empty if there was no compile (null)
/// or it failed.
[[nodiscard]] CompiledFacts facts_of(const CompileResult* compiled, const DeviceFacts& device);

/// The maximum over all launches of registers, stack, spills, shared memory and cubin size, and the
/// lowest occupancy with its limit. `kernels`: the kernels of all launches.
[[nodiscard]] ResourceUsage resources_of(const std::vector<StepPlan>& steps,
                                         const std::vector<CompiledKernel>& kernels,
                                         const DeviceFacts& device);

/// Why a launch of the entry would fail, in one line with numbers: because of the device's limits
/// or of the kernel's own. Absent if it would not. The compile must have succeeded.
[[nodiscard]] std::optional<std::string> why_entry_cannot_launch(const CompileResult& compiled,
                                                                 const std::string& entry,
                                                                 const LaunchPlan& launch,
                                                                 const DeviceFacts& device);

/// The same for the first step whose launch would fail, with the step's name.
[[nodiscard]] std::optional<std::string> why_steps_cannot_launch(const std::vector<StepPlan>& steps,
                                                                 const CompileResult& compiled,
                                                                 const DeviceFacts& device);

/// The steps with mangled names in place of entries, as a worker needs them.
[[nodiscard]] std::vector<StepPlan> with_kernel_names(std::vector<StepPlan> steps,
                                                      const std::vector<CompiledKernel>& kernels);

}  // namespace gtune
