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

// Evaluates a spec's expressions. A part without a value throws CaseError.
namespace gtune {

/// A part of a spec that has no value for a problem and a configuration. The line names the part,
/// the problem, the configuration and the reason.
class CaseError : public UserError {
 public:
  CaseError(const std::string& line, std::string reason, std::vector<std::string> keys)
      : UserError(ExitCode::usage, line), m_reason(std::move(reason)), m_keys(std::move(keys)) {}
  /// Only the part and the reason, which are the same for many configurations.
  [[nodiscard]] const std::string& reason() const { return m_reason; }
  /// The path to the part in the spec, as far as it is known: keys of tables, and names of items in
  /// an array, such as "args", "x", "count".
  [[nodiscard]] const std::vector<std::string>& keys() const { return m_keys; }

 private:
  std::string m_reason;
  std::vector<std::string> m_keys;
};

/// The resources that the compiler reported for the kernel `entry`, a name with its values, and its
/// occupancy in this launch, whose grid is not known yet.
using CompiledFacts =
    std::function<ResourceUsage(const std::string& entry, const LaunchPlan& launch)>;

/// A value per slot: sizes, parameters, device facts, and 0 for the compiler's facts. Names that
/// are absent from the case's problem or configuration are 0 as well.
[[nodiscard]] std::vector<std::int64_t> slot_values(const KernelSpec& spec, const Case& of);

/// The tuned kernel's steps, without those that are left out. Before a compile there are no
/// `facts`; values that depend on them are minimal: grids and clusters of 1, no shared memory, no
/// carve-out.
[[nodiscard]] std::vector<StepPlan> plan_steps(const KernelSpec& spec, const Case& of,
                                               const CompiledFacts& facts = {});
/// Whether the launch depends on the compiled kernel.
[[nodiscard]] bool needs_facts(const KernelSpec& spec, const LaunchSpec& launch);
[[nodiscard]] bool needs_facts(const KernelSpec& spec, const std::vector<StepSpec>& steps);
/// The launch, if it is the only step; otherwise absent.
[[nodiscard]] std::optional<LaunchPlan> only_launch(const std::vector<StepPlan>& steps);
/// The reference's configuration: its own parameters, and those of `any`, a valid configuration,
/// for the rest. This and the next three functions need a spec with a reference.
[[nodiscard]] Config reference_config(const KernelSpec& spec, const Config& any);
[[nodiscard]] std::vector<StepPlan> plan_reference_steps(const KernelSpec& spec, const Case& of,
                                                         const CompiledFacts& facts = {});
/// Like find_violation if the reference is the tuned kernel in a configuration; otherwise absent.
[[nodiscard]] std::optional<std::string> find_reference_violation(const KernelSpec& spec,
                                                                  const Case& of);
[[nodiscard]] std::vector<ArgumentPlan> plan_reference_arguments(const KernelSpec& spec,
                                                                 const Case& of);
/// The case's configuration must have every parameter, the baseline's own included.
[[nodiscard]] std::vector<StepPlan> plan_baseline_steps(const KernelSpec& spec,
                                                        const Baseline& baseline, const Case& of,
                                                        const CompiledFacts& facts = {});
[[nodiscard]] std::vector<ArgumentPlan> plan_arguments(const KernelSpec& spec, const Case& of);
/// A check for every buffer that is written.
[[nodiscard]] std::vector<OutputCheck> plan_output_checks(const KernelSpec& spec,
                                                          const Problem& problem,
                                                          const DeviceFacts& device);
/// `output` must have a compare entry.
[[nodiscard]] ComparePlan plan_compare(const KernelSpec& spec, const OutputCheckSpec& output,
                                       const Case& of);

/// Floating-point operations of one run; absent if the spec does not give them.
[[nodiscard]] std::optional<double> work_flops(const KernelSpec& spec, const Problem& problem);
/// Bytes that one run must read and write at least; absent if the spec does not give them.
[[nodiscard]] std::optional<double> work_bytes(const KernelSpec& spec, const Problem& problem);

/// Padded work of one run; absent if the spec does not give it, or if it is not positive.
[[nodiscard]] std::optional<double> padded_work(const KernelSpec& spec, const Case& of);

/// An entry with the values of the parameters, problem sizes and lets that it names.
[[nodiscard]] std::string entry_for(const KernelSpec& spec, const std::string& entry,
                                    const Case& of);

/// The entries of all launches that are not left out, as in entry_for, each once.
[[nodiscard]] std::vector<std::string> entries_for(const KernelSpec& spec,
                                                   const std::vector<StepSpec>& steps,
                                                   const Case& of);

/// The spec's options with {NAME} replaced. All entries share them, since they share one source.
[[nodiscard]] std::vector<std::string> compile_options(const KernelSpec& spec,
                                                       const Config& config);

/// The configuration without the parameters that do not exist in it (see Parameter::when). This
/// form is for people; `--config` accepts it.
[[nodiscard]] Config existing_values(const KernelSpec& spec, const Config& config);

/// The macros that the spec states, with their values.
[[nodiscard]] NamedValues stated_macros(const KernelSpec& spec, const Case& of);

/// The parameters that become macros if the kernel's files name them: neither template arguments of
/// the tuned kernel nor stated macros.
[[nodiscard]] std::vector<std::string> possible_macros(const KernelSpec& spec);

/// Whether the condition is false for these slots, or has no value.
[[nodiscard]] bool is_violated(const Expression& condition, const std::vector<std::int64_t>& slots);

/// The first violated constraint of those that are checked before a compile; absent if the
/// configuration is valid. An expression without a value is a violation. Example:
/// "smem: 'shared_bytes <= dev_max_shared'".
[[nodiscard]] std::optional<std::string> find_violation(const KernelSpec& spec, const Case& of);
[[nodiscard]] bool satisfies(const KernelSpec& spec, const Case& of);
/// The same for constraints on the compiler's facts. `usage`: the maximum over all launches.
[[nodiscard]] std::optional<std::string> find_compiled_violation(const KernelSpec& spec,
                                                                 const Case& of,
                                                                 const ResourceUsage& usage);

}  // namespace gtune
