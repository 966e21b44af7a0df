#pragma once

#include <string>
#include <vector>

#include "export/header.hpp"

namespace gtune {

/// CUDA C++ to be included behind the kernel's source and its exported header: names the instances
/// of the kernel's template that the portfolio's variants are, and calls the one for a problem.
/// Which instances a variant has depends on the problem, too; there are those of the tuned problems
/// and of problems a few elements larger. Does not compile where the build's digests of the source
/// are not those of `sources`. Throws UserError(usage) where the entry is no template.
[[nodiscard]] std::string dispatcher_text(const KernelSpec& spec, const Portfolio& portfolio,
                                          const HeaderFacts& facts,
                                          const std::vector<SourceFile>& sources);

}  // namespace gtune
