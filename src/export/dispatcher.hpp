#pragma once

#include <string>
#include <vector>

#include "export/header.hpp"

namespace gtune {

/// CUDA C++ to be included after the kernel's source and its exported header: names the template
/// instances of the portfolio's variants and calls the one for a problem. The instances of a
/// variant depend on the problem, too; there are those of the tuned problems and of problems a few
/// elements larger. Does not compile if the build's digests of the source differ from those of
/// `sources`. Throws UserError(usage) if the entry is not a template.
[[nodiscard]] std::string dispatcher_text(const KernelSpec& spec, const Portfolio& portfolio,
                                          const HeaderFacts& facts,
                                          const std::vector<SourceFile>& sources);

}  // namespace gtune
