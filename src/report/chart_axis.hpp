#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gtune {

struct AxisTick {
  double at = 0;
  std::string text;
};

/// What a chart needs to know of one axis. `low` < `high`, and 0 < `low` if it is logarithmic.
struct ChartAxis {
  std::string label;
  bool logarithmic = false;
  double low = 0;
  double high = 1;
  std::vector<AxisTick> ticks;  // within the axis
};

/// For whole numbers, such as sizes: logarithmic if they span more than a factor of 16 and all are
/// positive. Not empty.
[[nodiscard]] ChartAxis number_axis(std::string label, const std::vector<std::int64_t>& values);

/// For words: the first lies at 0, the next at 1. Not empty.
[[nodiscard]] ChartAxis word_axis(std::string label, const std::vector<std::string>& words);

/// For finite quantities of a unit, see quantity_text; the label says which unit the ticks are in.
/// Logarithmic by the same rule. Not empty.
[[nodiscard]] ChartAxis quantity_axis(const std::string& label, std::string_view unit,
                                      const std::vector<double>& values);

/// Round positions on a logarithmic axis: 1, 2, 5, 10, ..., or only powers of ten if these are
/// many. 0 < `low` < `high`.
[[nodiscard]] std::vector<double> decimal_steps(double low, double high);

}  // namespace gtune
