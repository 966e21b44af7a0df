#pragma once

#include "report/document.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// CSV columns for the values of a problem, named `prefix` + the spec's size.
[[nodiscard]] inline Column size_columns(const KernelSpec& spec, const std::string& prefix = "") {
  std::vector<std::string> names;
  for (const ProblemSize& size : spec.sizes) names.push_back(size.name);
  return csv_columns(std::move(names), prefix);
}

/// CSV columns for the values of a configuration, named for the spec's parameters.
[[nodiscard]] inline Column parameter_columns(const KernelSpec& spec) {
  std::vector<std::string> names;
  for (const Parameter& parameter : spec.params) names.push_back(parameter.name);
  return csv_columns(std::move(names));
}

}  // namespace gtune
