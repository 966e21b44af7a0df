#pragma once

#include <string>
#include <string_view>

namespace gtune {

/// A quantity for people to read, with `digits` significant digits: times, bytes and rates in the
/// unit that suits their size ("2.54 ms", "12.3 us", "1.07 GB", "3780 GB/s"), shares in percent,
/// counts from a million on with a letter ("4.19 M sectors"). `unit`: CUPTI's word ("nanosecond",
/// "byte/second", "percent", "sector"), or "ms", "s", "share" (of 1), "GFLOP/s", "GB/s", "MHz";
/// empty or "ratio": no unit. An unknown unit follows the number unscaled.
[[nodiscard]] std::string quantity_text(double value, std::string_view unit, int digits = 4);

}  // namespace gtune
