#pragma once

#include <string>

#include "page/problem_parts.hpp"
#include "page/problem_record.hpp"

namespace gtune {

/// The roofline of a problem as markup: the measured limits of the device, and every measurement
/// with metrics as a point. Empty without limits or floating-point operations.
[[nodiscard]] std::string roofline(const ProblemRecord& record, const ProblemPlace& place);

}  // namespace gtune
