#pragma once

#include <string>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// What the names of a kernel's sizes, parameters and baselines mean, as its spec says. Empty if it
/// says nothing.
[[nodiscard]] std::string vocabulary_part(const KernelSpec& spec);

}  // namespace gtune
