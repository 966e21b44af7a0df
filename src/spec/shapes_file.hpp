#pragma once

#include <filesystem>
#include <vector>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// Problems from a file, each once, in its order. Either CSV whose first line names sizes, or a
/// line for each such as 4096x4096x512: values of the spec's first sizes. Sizes that are not given
/// take their defaults. Empty lines, and what stands behind a #, are left out. Throws UserError
/// "FILE:LINE: ...".
[[nodiscard]] std::vector<Problem> read_shapes(const KernelSpec& spec,
                                               const std::filesystem::path& file);

}  // namespace gtune
