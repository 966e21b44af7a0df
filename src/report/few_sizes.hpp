#pragma once

#include <string>
#include <vector>

#include "model/named_values.hpp"

namespace gtune {

struct KernelSpec;

/// At most five problems, each as problem_text writes it: "M=1024; M=4096; ... and 3 more".
[[nodiscard]] std::string few_sizes(const KernelSpec& spec, const std::vector<Problem>& problems);
/// The same with all sizes of each problem, if no spec is known.
[[nodiscard]] std::string few_sizes(const std::vector<Problem>& problems);

}  // namespace gtune
