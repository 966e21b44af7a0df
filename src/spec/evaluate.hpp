#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/case.hpp"
#include "model/error.hpp"
#include "model/measurement.hpp"
#include "model/plan.hpp"
#include "spec/entry.hpp"
#include "spec/kernel_spec.hpp"

// A spec's expressions put to numbers. What cannot be is a CaseError.
namespace gtune {

/// A part of a spec that has no value for a problem and a configuration. The line names the part,
/// the problem, the configuration and the reason.
class CaseError : public UserError {
 public:
  CaseError(const std::string& line, std::string reason, std::vector<std::string> keys)
      : UserError(ExitCode::usage, line), m_reason(std::move(reason)), m_keys(std::move(keys)) {}
  /// The part and the reason alone, the same for many configurations.
  [[nodiscard]] const std::string& reason() const { return m_reason; }
  /// Where the part is in the spec: tables by key, those of an array by name, such as "args", "x",
  /// "count"; as far as that is known.
  [[nodiscard]] const std::vector<std::string>& keys() const { return m_keys; }

 private:
  std::string m_reason;
  std::vector<std::string> m_keys;
};

/// What the compiler reported of the kernel that is compiled for `entry`, a name with its values,
/// and its occupancy in this launch, of whose grid nothing is known yet.
using CompiledFacts =
    std::function<ResourceUsage(const std::string& entry, const LaunchPlan& launch)>;

/// A value per slot: sizes, parameters, device facts, and 0 for what the compiler reports. Names
/// that are absent from the case's problem or configuration are 0 as well.
[[nodiscard]] std::vector<std::int64_t> slot_values(const KernelSpec& spec, const Case& of);

/// Of the tuned kernel, without those that are left out. Without facts, as before a compile, what
/// depends on them has its least value: grids and clusters of 1, no shared memory, no carve-out.
[[nodiscard]] std::vector<StepPlan> plan_steps(const KernelSpec& spec, const Case& of,
                                               const CompiledFacts& facts = {});
/// Whether a kernel has to be compiled before all of its launch is known.
[[nodiscard]] bool needs_facts(const KernelSpec& spec, const LaunchSpec& launch);
[[nodiscard]] bool needs_facts(const KernelSpec& spec, const std::vector<StepSpec>& steps);
/// The launch among steps that are nothing else; absent where there are several.
[[nodiscard]] std::optional<LaunchPlan> only_launch(const std::vector<StepPlan>& steps);
/// The reference's own parameters, and of `any`, a valid configuration, those that it leaves open:
/// the configuration of the cases below. Of a spec that has a reference, as they are.
[[nodiscard]] Config reference_config(const KernelSpec& spec, const Config& any);
[[nodiscard]] std::vector<StepPlan> plan_reference_steps(const KernelSpec& spec, const Case& of,
                                                         const CompiledFacts& facts = {});
/// As find_violation, where the reference is the tuned kernel in a configuration.
[[nodiscard]] std::optional<std::string> find_reference_violation(const KernelSpec& spec,
                                                                  const Case& of);
[[nodiscard]] std::vector<ArgumentPlan> plan_reference_arguments(const KernelSpec& spec,
                                                                 const Case& of);
/// The configuration: every parameter, the baseline's own included.
[[nodiscard]] std::vector<StepPlan> plan_baseline_steps(const KernelSpec& spec,
                                                        const Baseline& baseline, const Case& of,
                                                        const CompiledFacts& facts = {});
[[nodiscard]] std::vector<ArgumentPlan> plan_arguments(const KernelSpec& spec, const Case& of);
/// Of every buffer that is written.
[[nodiscard]] std::vector<OutputCheck> plan_output_checks(const KernelSpec& spec,
                                                          const Problem& problem,
                                                          const DeviceFacts& device);
/// Of an output that has a compare entry.
[[nodiscard]] ComparePlan plan_compare(const KernelSpec& spec, const OutputCheckSpec& output,
                                       const Case& of);

/// Floating-point operations of one run; absent where the spec does not say.
[[nodiscard]] std::optional<double> work_flops(const KernelSpec& spec, const Problem& problem);
/// Bytes that one run has to read and write at least; absent where the spec does not say.
[[nodiscard]] std::optional<double> work_bytes(const KernelSpec& spec, const Problem& problem);

/// Padded work of one run; absent where the spec does not say, or it is not above zero for these.
[[nodiscard]] std::optional<double> padded_work(const KernelSpec& spec, const Case& of);

/// An entry with the values of the parameters, problem sizes and lets that it names.
[[nodiscard]] std::string entry_for(const KernelSpec& spec, const std::string& entry,
                                    const Case& of);

/// The entries of all launches but those that are left out, as entry_for, each once.
[[nodiscard]] std::vector<std::string> entries_for(const KernelSpec& spec,
                                                   const std::vector<StepSpec>& steps,
                                                   const Case& of);

/// The spec's options with {NAME} replaced. The same for every entry, as all share one source.
[[nodiscard]] std::vector<std::string> compile_options(const KernelSpec& spec,
                                                       const Config& config);

/// The configuration without the parameters that do not exist in it (see Parameter::when): for
/// people, and for `--config`, which takes it.
[[nodiscard]] Config existing_values(const KernelSpec& spec, const Config& config);

/// The macros that the spec says, with their values.
[[nodiscard]] NamedValues said_macros(const KernelSpec& spec, const Case& of);

/// The parameters that are macros where the kernel's files name them: neither template arguments
/// of the tuned kernel nor said.
[[nodiscard]] std::vector<std::string> possible_macros(const KernelSpec& spec);

/// The problems of [check] also, for this configuration, with the measured problem's choices. One
/// whose sizes are out of range or cannot be computed is left out.
[[nodiscard]] std::vector<Problem> awkward_problems(const KernelSpec& spec, const Case& measured);

/// Whether the condition does not hold for these slots; one that has no value does not.
[[nodiscard]] bool is_violated(const Expression& condition, const std::vector<std::int64_t>& slots);

/// Which constraint is violated of those that are judged before a compile, as "smem: 'shared_bytes
/// <= dev_max_shared'"; absent where the configuration is valid. An expression that fails is a
/// violation.
[[nodiscard]] std::optional<std::string> find_violation(const KernelSpec& spec, const Case& of);
[[nodiscard]] bool satisfies(const KernelSpec& spec, const Case& of);
/// The same of the constraints on what the compiler reports. `usage`: of all launches together.
[[nodiscard]] std::optional<std::string> find_compiled_violation(const KernelSpec& spec,
                                                                 const Case& of,
                                                                 const ResourceUsage& usage);

}  // namespace gtune
