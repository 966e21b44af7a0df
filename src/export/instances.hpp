#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "export/portfolio.hpp"
#include "model/case.hpp"
#include "spec/kernel_spec.hpp"

// The instances of a kernel that a portfolio needs. If sizes or lets are template arguments, one
// variant has several instances.
namespace gtune {

/// A variant on a problem and device for which it is valid.
struct VariantUse {
  std::size_t variant = 0;  // of the portfolio
  Problem problem;
  DeviceFacts device;

  [[nodiscard]] Case in(const Portfolio& portfolio) const {
    return {problem, portfolio.variants[variant], device};
  }
};

/// All valid uses on the tuned problems and on some that are a few elements larger, which cover
/// sizes that tiles do not divide and pitches of every alignment.
[[nodiscard]] std::vector<VariantUse> find_uses(const KernelSpec& spec, const Portfolio& portfolio);

/// Names of the kernel's template arguments that are numbers; empty if it is not a template.
[[nodiscard]] std::vector<std::string> number_arguments(const KernelSpec& spec);

/// The values of these arguments.
[[nodiscard]] std::vector<std::int64_t> argument_values(const KernelSpec& spec,
                                                        const std::vector<std::string>& names,
                                                        const Case& there);

/// The same as C++ expressions for an exported header, with `problem`, `chosen` and `device` in
/// scope.
[[nodiscard]] std::vector<std::string> argument_expressions(const KernelSpec& spec,
                                                            const std::vector<std::string>& names);

}  // namespace gtune
