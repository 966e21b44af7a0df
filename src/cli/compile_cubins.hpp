#pragma once

#include <vector>

#include "export/cubin_header.hpp"

namespace gtune {

/// Compiles the portfolio's instances for the architectures of its devices; no GPU is needed.
/// Throws UserError if one does not compile or if interrupted.
[[nodiscard]] std::vector<EmbeddedCubin> compile_cubins(const KernelSpec& spec,
                                                        const Portfolio& portfolio);

}  // namespace gtune
