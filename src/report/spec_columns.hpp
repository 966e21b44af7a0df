#pragma once

#include "report/document.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// CSV columns for the values of a problem, called by the spec's sizes, after the prefix.
[[nodiscard]] inline Column size_columns(const KernelSpec& spec, const std::string& prefix = "") {
  std::vector<std::string> names;
  for (const ProblemSize& size : spec.sizes) names.push_back(size.name);
  return csv_columns(std::move(names), prefix);
}

/// The same for the values of a configuration.
[[nodiscard]] inline Column parameter_columns(const KernelSpec& spec) {
  std::vector<std::string> names;
  for (const Parameter& parameter : spec.params) names.push_back(parameter.name);
  return csv_columns(std::move(names));
}

}  // namespace gtune
