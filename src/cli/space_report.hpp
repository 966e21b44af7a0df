#pragma once

#include <string>

#include "report/document.hpp"
#include "space/enumerate.hpp"

namespace gtune {

/// The number of a kernel's valid configurations, and what excludes the others. `list`: also every
/// valid configuration.
[[nodiscard]] Document space_report(const KernelSpec& spec, const Problem& problem,
                                    const std::string& arch, const Enumeration& space,
                                    double seconds, bool list);

}  // namespace gtune
