#pragma once

#include <vector>

#include "spec/spec_context.hpp"

// Readers of the tables that name values. Each adds its names to the context's scope.
namespace gtune {

[[nodiscard]] std::vector<ProblemSize> read_problem(SpecContext& context, const TomlValue& table);
[[nodiscard]] std::vector<Parameter> read_params(SpecContext& context, const TomlValue& table);
/// A constraint NAME.when for each parameter with 'when': where the parameter does not exist, it
/// must have its first value. Configurations that differ only in its value then count as one.
[[nodiscard]] std::vector<NamedExpression> existence_rules(const SpecContext& context,
                                                           const TomlValue& table,
                                                           const std::vector<Parameter>& params);
[[nodiscard]] std::vector<NamedExpression> read_lets(SpecContext& context, const TomlValue& table);
/// Reads `macros` of [kernel], whose expressions may use all names. `spec` must have its entry and
/// options.
[[nodiscard]] std::vector<NamedExpression> read_macros(const SpecContext& context,
                                                       const TomlValue& table,
                                                       const KernelSpec& spec);
/// Constraints may also name `shared_bytes` and `threads_per_block`, which the launches determine.
[[nodiscard]] std::vector<NamedExpression> read_constraints(const SpecContext& context,
                                                            const TomlValue& table,
                                                            const std::vector<StepSpec>& steps);

}  // namespace gtune
