#pragma once

#include <vector>

#include "explain/subject.hpp"
#include "report/document.hpp"

namespace gtune {

/// Static facts and metrics of several measurements, one column each. A value that is at least
/// twice or at most half that of the first says by what factor. Not empty.
[[nodiscard]] Table side_by_side(const std::vector<Subject>& subjects);

}  // namespace gtune
