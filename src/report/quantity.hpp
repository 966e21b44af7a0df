#pragma once

#include <string>
#include <string_view>

namespace gtune {

/// A quantity for people to read, with `digits` significant digits: times, bytes and rates in the
/// unit that suits their size ("2.54 ms", "12.3 us", "1.07 GB", "3780 GB/s"), shares in percent,
/// counts from a million on with a letter ("4.19 M sectors"). `unit`: CUPTI's word ("nanosecond",
/// "byte/second", "percent", "sector"), or "ms", "s", "share" (of 1), "GFLOP/s", "GB/s", "MHz",
/// "mJ", "W"; empty or "ratio": no unit. An unknown unit follows the number unscaled.
[[nodiscard]] std::string quantity_text(double value, std::string_view unit, int digits = 4);

/// The number alone, with `digits` significant digits: "0.0123", "12.3", "1234".
[[nodiscard]] std::string number_text(double value, int digits);

/// "2.50 x", "12.3 x", "570 x": with `digits` significant digits.
[[nodiscard]] std::string factor_text(double factor, int digits = 3);

/// A unit for several quantities, as on the axis of a chart.
struct SharedUnit {
  double size = 1;   // of the quantities' own unit
  std::string word;  // "us", "GB/s", "M sectors"; empty: none
};

/// The unit that suits quantities of up to `largest`: 0.02 "ms" are written in "us", of size 0.001.
[[nodiscard]] SharedUnit shared_unit(double largest, std::string_view unit);

}  // namespace gtune
