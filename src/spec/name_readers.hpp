#pragma once

#include <vector>

#include "spec/spec_context.hpp"

// Readers of the tables that give names to values. Each adds its names to the context's scope.
namespace gtune {

[[nodiscard]] std::vector<ProblemSize> read_problem(SpecContext& context, const TomlValue& table);
[[nodiscard]] std::vector<Parameter> read_params(SpecContext& context, const TomlValue& table);
/// For each parameter of the table that may not exist the constraint NAME.when: there it has its
/// first value, so that configurations which differ in nothing else are one.
[[nodiscard]] std::vector<NamedExpression> existence_rules(const SpecContext& context,
                                                           const TomlValue& table,
                                                           const std::vector<Parameter>& params);
[[nodiscard]] std::vector<NamedExpression> read_lets(SpecContext& context, const TomlValue& table);
/// `macros` of [kernel], over every name. `spec`: read up to the entry and the options.
[[nodiscard]] std::vector<NamedExpression> read_macros(const SpecContext& context,
                                                       const TomlValue& table,
                                                       const KernelSpec& spec);
/// Constraints may also name `shared_bytes` and `threads_per_block`, which follow from the
/// launches.
[[nodiscard]] std::vector<NamedExpression> read_constraints(const SpecContext& context,
                                                            const TomlValue& table,
                                                            const std::vector<StepSpec>& steps);

}  // namespace gtune
