#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "export/portfolio.hpp"
#include "model/case.hpp"
#include "spec/kernel_spec.hpp"

// Which instances of a kernel a portfolio needs: the same variant is another one where sizes or
// lets are among the template's arguments.
namespace gtune {

/// A variant on a problem and device where it may be used.
struct VariantUse {
  std::size_t variant = 0;  // of the portfolio
  Problem problem;
  DeviceFacts device;

  [[nodiscard]] Case in(const Portfolio& portfolio) const {
    return {problem, portfolio.variants[variant], device};
  }
};

/// On the tuned problems and on some that are a few elements larger: what does not divide evenly,
/// and pitches of every alignment.
[[nodiscard]] std::vector<VariantUse> find_uses(const KernelSpec& spec, const Portfolio& portfolio);

/// The arguments of the kernel's template that are numbers, by name; empty where it is none.
[[nodiscard]] std::vector<std::string> number_arguments(const KernelSpec& spec);

/// Their values.
[[nodiscard]] std::vector<std::int64_t> argument_values(const KernelSpec& spec,
                                                        const std::vector<std::string>& names,
                                                        const Case& there);

/// The same as C++ of an exported header, with `problem`, `chosen` and `device` in scope.
[[nodiscard]] std::vector<std::string> argument_expressions(const KernelSpec& spec,
                                                            const std::vector<std::string>& names);

}  // namespace gtune
