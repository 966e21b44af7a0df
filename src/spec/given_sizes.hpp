#pragma once

#include <string>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// " --M 1024 --N 64": the options that name a problem.
[[nodiscard]] std::string given_sizes(const KernelSpec& spec, const Problem& problem);

}  // namespace gtune
