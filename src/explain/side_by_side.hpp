#pragma once

#include <vector>

#include "explain/subject.hpp"
#include "report/document.hpp"

namespace gtune {

struct KernelSpec;

/// Static facts and metrics of several measurements, one column each, whose heading says in which
/// parameters a configuration differs from the first. A row has one unit. Rows of zeros are left
/// out. A value that is at least twice or at most half that of the first says by what factor. Not
/// empty.
[[nodiscard]] Table side_by_side(const KernelSpec& spec, const std::vector<Subject>& subjects);

}  // namespace gtune
