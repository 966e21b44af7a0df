#pragma once

#include <filesystem>
#include <vector>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// Reads problems from a file: either CSV whose first line names sizes, or lines such as
/// 4096x4096x512 with values for the spec's first sizes. Other sizes take their defaults. Empty
/// lines and text after # are ignored. Returns each problem once, in the file's order. Throws
/// UserError "FILE:LINE: ...".
[[nodiscard]] std::vector<Problem> read_shapes(const KernelSpec& spec,
                                               const std::filesystem::path& file);

}  // namespace gtune
