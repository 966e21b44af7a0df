#pragma once

#include <string>
#include <vector>

#include "page/problem_record.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// What the names of a kernel's sizes, parameters and baselines mean, as its spec says. Empty if it
/// says nothing.
[[nodiscard]] std::string vocabulary_part(const KernelSpec& spec);

struct MetricMeaning {
  std::string name;
  std::string meaning;
};

/// What the names of facts and metrics mean that these records show beside each other. Empty if
/// they show none.
[[nodiscard]] std::string metrics_part(const std::vector<KernelRecord>& records,
                                       const std::vector<MetricMeaning>& metrics);

}  // namespace gtune
