#pragma once

#include <string>

#include "report/document.hpp"
#include "space/enumerate.hpp"

namespace gtune {

/// A kernel's configurations in numbers, and what excludes the others; with `list` all of them.
[[nodiscard]] Document space_report(const KernelSpec& spec, const Problem& problem,
                                    const std::string& arch, const Enumeration& space,
                                    double seconds, bool list);

}  // namespace gtune
