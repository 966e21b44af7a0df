#pragma once

#include <vector>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// Problems of about the size of one, the same ones every time: sizes are scaled by up to half an
/// octave either way and as even as they were, up to eight. Those that follow from others still do;
/// where they may not be what follows, there are fewer problems.
[[nodiscard]] std::vector<Problem> problems_around(const KernelSpec& spec, const Problem& problem);

/// Problems of a kind and of any size, the same ones every time: sizes are spread evenly over
/// octaves, and all but the first are given or follow from the others.
[[nodiscard]] std::vector<Problem> problems_of_any_size(const KernelSpec& spec,
                                                        const Problem& of_kind);

}  // namespace gtune
