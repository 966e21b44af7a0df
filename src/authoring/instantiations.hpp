#pragma once

#include <vector>

#include "authoring/source_outline.hpp"

namespace gtune {

/// The template arguments of a kernel's explicit instantiations in the order of the text: {float},
/// {256} for `template __global__ void k<float, 256>(...)`.
[[nodiscard]] std::vector<std::vector<Tokens>> explicit_instantiations(
    const Tokens& source, const OutlinedKernel& kernel);

}  // namespace gtune
