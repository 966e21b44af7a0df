#pragma once

#include <string>

#include "model/measurement.hpp"

namespace gtune {

/// "2.5243 ms"
[[nodiscard]] std::string time_text(double ms);

/// "+- 0.03 %": half the width of the median's confidence interval; "" if there are too few samples
/// for one.
[[nodiscard]] std::string spread_text(const Timing& timing);

/// "median of 40"; "" if the samples were not kept, as of imported and of many bundled times.
[[nodiscard]] std::string samples_text(const Timing& timing);

}  // namespace gtune
