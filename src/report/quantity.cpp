#include "report/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace gtune {
namespace {

struct Scale {
  double size;  // in the base unit
  const char* word;
};

// The largest unit first.
constexpr Scale k_seconds[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
constexpr Scale k_bytes[] = {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}};
constexpr Scale k_bytes_per_second[] = {{1e9, "GB/s"}, {1e6, "MB/s"}, {1, "B/s"}};
constexpr Scale k_flops[] = {{1e12, "TFLOP/s"}, {1e9, "GFLOP/s"}, {1e6, "MFLOP/s"}};
constexpr Scale k_hertz[] = {{1e6, "MHz"}, {1, "Hz"}};
constexpr Scale k_joules[] = {{1e3, "kJ"}, {1, "J"}, {1e-3, "mJ"}, {1e-6, "uJ"}};
constexpr Scale k_watts[] = {{1, "W"}, {1e-3, "mW"}};
constexpr Scale k_counts[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}};

/// A unit that text scales: its size in the base unit, and the units to scale it to.
struct Scaled {
  std::string_view unit;
  double base;
  std::span<const Scale> scales;
};

constexpr std::array<Scaled, 13> k_scaled = {{{"ms", 1e-3, k_seconds},
                                              {"s", 1, k_seconds},
                                              {"second", 1, k_seconds},
                                              {"nanosecond", 1e-9, k_seconds},
                                              {"usecond", 1e-6, k_seconds},
                                              {"byte", 1, k_bytes},
                                              {"byte/second", 1, k_bytes_per_second},
                                              {"GB/s", 1e9, k_bytes_per_second},
                                              {"GFLOP/s", 1e9, k_flops},
                                              {"hz", 1, k_hertz},
                                              {"MHz", 1e6, k_hertz},
                                              {"mJ", 1e-3, k_joules},
                                              {"W", 1, k_watts}}};

double rounded(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double step = std::pow(10.0, std::floor(std::log10(std::abs(value))) + 1 - digits);
  return std::round(value / step) * step;
}

std::string significant(double value, int digits) {
  if (value == 0) return "0";
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const int before = static_cast<int>(std::floor(std::log10(std::abs(rounded(value, digits))))) + 1;
  return fmt::format("{:.{}f}", value, std::clamp(digits - before, 0, 9));
}

/// The largest unit that is not larger than the value, else the smallest.
const Scale& fitting_scale(double value, std::span<const Scale> scales) {
  const auto fitting = std::find_if(scales.begin(), scales.end(),
                                    [&](const Scale& each) { return value >= each.size; });
  return fitting == scales.end() ? scales.back() : *fitting;
}

std::string scaled_text(double value, std::span<const Scale> scales, int digits) {
  const Scale& scale = fitting_scale(std::abs(rounded(value, digits)), scales);
  const double scaled = value / scale.size;
  const bool whole = scale.size == 1 && scaled == std::floor(scaled);
  return (whole ? fmt::format("{:.0f} ", scaled) : significant(scaled, digits) + ' ') + scale.word;
}

std::string count_text(double value, int digits) {
  if (std::abs(rounded(value, digits)) >= 1e6) return scaled_text(value, k_counts, digits);
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : significant(value, digits);
}

/// CUPTI's units that text shortens, as the metric's name says the rest.
constexpr std::pair<std::string_view, std::string_view> k_words[] = {
    {"inst", "instruction"},
    {"l2_sector", "sector"},
    {"l1data_bank_conflict", "conflict"},
    {"instruction/gpc_cycle", "instructions/cycle"}};

std::string counted(std::string_view unit, bool single) {
  if (unit.empty() || unit == "ratio") return "";
  for (const auto& [name, word] : k_words) {
    if (unit == name) unit = word;
  }
  const bool plural = !single && unit.find('/') == std::string_view::npos;
  return fmt::format(" {}{}", unit, plural ? "s" : "");
}

}  // namespace

std::string quantity_text(double value, std::string_view unit, int digits) {
  if (unit == "share") return fmt::format("{:.1f} %", 100 * value);
  if (unit == "percent" || unit == "%") return fmt::format("{:.1f} %", value);
  for (const Scaled& each : k_scaled) {
    if (each.unit == unit) return scaled_text(value * each.base, each.scales, digits);
  }
  return count_text(value, digits) + counted(unit, value == 1);
}

std::string number_text(double value, int digits) { return significant(value, digits); }

std::string factor_text(double factor, int digits) { return significant(factor, digits) + " x"; }

SharedUnit shared_unit(double largest, std::string_view unit) {
  if (unit == "share") return {0.01, "%"};
  if (unit == "percent" || unit == "%") return {1, "%"};
  for (const Scaled& each : k_scaled) {
    if (each.unit != unit) continue;
    const Scale& scale = fitting_scale(std::abs(largest) * each.base, each.scales);
    return {scale.size / each.base, scale.word};
  }
  const std::string word = counted(unit, false);
  if (std::abs(largest) >= 1e6) {
    const Scale& scale = fitting_scale(std::abs(largest), k_counts);
    return {scale.size, scale.word + word};
  }
  return {1, word.empty() ? word : word.substr(1)};
}

}  // namespace gtune
