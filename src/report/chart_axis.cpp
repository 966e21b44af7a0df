#include "report/chart_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "report/quantity.hpp"

namespace gtune {
namespace {

constexpr double widest_linear_span = 16;  // a larger factor needs a logarithmic axis
constexpr int most_ticks = 12;             // powers of two on an axis
constexpr int aimed_steps = 6;             // between the ticks of a linear axis
constexpr double most_one_two_five = 3.5;  // decades with ticks at 1, 2 and 5
constexpr double most_decades = 10;        // with a tick each

bool needs_logarithm(double least, double largest) {
  return least > 0 && largest > widest_linear_span * least;
}

/// 1, 2 or 5 times a power of ten.
double round_step(double range) {
  const double rough = range / aimed_steps;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

std::string plain_number(double value, double step) {
  if (std::abs(value) >= 1e7 || (value != 0 && std::abs(value) < 1e-4)) {
    return fmt::format("{:.6g}", value);
  }
  const double digits = -std::floor(std::log10(step) + 1e-9);
  return fmt::format("{:.{}f}", value, std::clamp(static_cast<int>(digits), 0, 9));
}

/// "4096", "64 Ki", "20 k": long numbers with the prefix that leaves a short one.
std::string short_number(std::int64_t value) {
  struct Prefix {
    std::int64_t size;
    const char* text;
  };
  constexpr Prefix prefixes[] = {{std::int64_t{1} << 40, " Ti"},
                                 {1'000'000'000'000, " T"},
                                 {1 << 30, " Gi"},
                                 {1'000'000'000, " G"},
                                 {1 << 20, " Mi"},
                                 {1'000'000, " M"},
                                 {1 << 10, " Ki"},
                                 {1'000, " k"}};
  if (value >= 10'000 || value <= -10'000) {
    for (const auto& [size, text] : prefixes) {
      if (value % size == 0) return std::to_string(value / size) + text;
    }
  }
  return std::to_string(value);
}

/// Extends the axis to round ends, which get ticks.
void tick_evenly(ChartAxis& axis, double size) {
  const double step = round_step(axis.high - axis.low);
  const double first = std::floor(axis.low / step + 1e-9);
  const double last = std::ceil(axis.high / step - 1e-9);
  axis.low = first * step;
  axis.high = last * step;
  for (int i = 0; i <= static_cast<int>(last - first); ++i) {
    const double at = (first + i) * step;
    axis.ticks.push_back({at * size, plain_number(at, step)});
  }
  axis.low *= size;
  axis.high *= size;
}

/// Both ends are powers of two.
void tick_powers_of_two(ChartAxis& axis, std::int64_t first, std::int64_t last) {
  const int least = std::countr_zero(static_cast<std::uint64_t>(first));
  const int largest = std::countr_zero(static_cast<std::uint64_t>(last));
  const int stride = 1 + (largest - least) / most_ticks;
  for (int power = least; power <= largest; power += stride) {
    const std::int64_t value = std::int64_t{1} << power;
    axis.ticks.push_back({static_cast<double>(value), short_number(value)});
  }
}

/// Whether a tick at each value leaves room for its text.
bool are_few_and_far_apart(const std::set<std::int64_t>& values) {
  if (values.size() > most_ticks) return false;
  const double range = static_cast<double>(*values.rbegin()) - static_cast<double>(*values.begin());
  for (auto value = std::next(values.begin()); value != values.end(); ++value) {
    const double gap = static_cast<double>(*value) - static_cast<double>(*std::prev(value));
    if (gap * widest_linear_span < range) return false;
  }
  return true;
}

/// Between these shares, an axis from 0 would flatten a curve that says something; above, a curve
/// is flat.
bool begins_at_zero(double nearest, double farthest) {
  constexpr double steep = 0.7, flat = 0.95;
  return nearest < steep * farthest || nearest > flat * farthest;
}

}  // namespace

std::vector<double> decimal_steps(double low, double high) {
  const double decades = std::log10(high / low);
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  const int stride = decades > most_decades ? static_cast<int>(decades / most_decades) + 1 : 1;
  std::vector<double> steps;
  for (int power = first; power <= last; power += stride) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double at = factor * std::pow(10, power);
      if (factor > 1 && decades > most_one_two_five) continue;
      if (at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9)) steps.push_back(at);
    }
  }
  return steps;
}

ChartAxis number_axis(std::string label, const std::vector<std::int64_t>& values) {
  const std::set<std::int64_t> distinct(values.begin(), values.end());
  const std::int64_t first = *distinct.begin(), last = *distinct.rbegin();
  const auto least = static_cast<double>(first), largest = static_cast<double>(last);
  ChartAxis axis{std::move(label), needs_logarithm(least, largest), least, largest, {}};
  if (axis.logarithmic) {
    if (std::all_of(distinct.begin(), distinct.end(), [](std::int64_t each) {
          return std::has_single_bit(static_cast<std::uint64_t>(each));
        })) {
      tick_powers_of_two(axis, first, last);
    } else {
      for (const double at : decimal_steps(least, largest)) {
        axis.ticks.push_back({at, short_number(std::llround(at))});
      }
    }
    const double edge = std::pow(largest / least, 0.03);
    axis.low /= edge;
    axis.high *= edge;
    return axis;
  }
  if (!are_few_and_far_apart(distinct)) {
    tick_evenly(axis, 1);
    return axis;
  }
  for (const std::int64_t value : distinct) {
    axis.ticks.push_back({static_cast<double>(value), short_number(value)});
  }
  const double edge = std::max(0.03 * (largest - least), distinct.size() == 1 ? 1.0 : 0.0);
  axis.low -= edge;
  axis.high += edge;
  return axis;
}

ChartAxis word_axis(std::string label, const std::vector<std::string>& words) {
  ChartAxis axis{std::move(label), false, -0.5, static_cast<double>(words.size()) - 0.5, {}};
  for (const std::string& word : words) {
    axis.ticks.push_back({static_cast<double>(axis.ticks.size()), word});
  }
  return axis;
}

ChartAxis quantity_axis(const std::string& label, std::string_view unit,
                        const std::vector<double>& values) {
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  const SharedUnit shared = shared_unit(std::max(std::abs(*least), std::abs(*largest)), unit);
  ChartAxis axis{shared.word.empty() ? label : label + ", " + shared.word,
                 needs_logarithm(*least, *largest),
                 *least / shared.size,
                 *largest / shared.size,
                 {}};
  if (axis.logarithmic) {
    const double edge = std::pow(axis.high / axis.low, 0.03);
    axis.low /= edge;
    axis.high *= edge;
    for (const double at : decimal_steps(axis.low, axis.high)) {
      axis.ticks.push_back({at * shared.size, fmt::format("{:.6g}", at)});
    }
    axis.low *= shared.size;
    axis.high *= shared.size;
    return axis;
  }
  if (axis.high - axis.low <= 1e-6 * std::max(std::abs(axis.low), std::abs(axis.high))) {
    axis.low = std::min(0.0, 2 * axis.low);
    axis.high = axis.low == 0 && axis.high <= 0 ? 1 : std::max(0.0, 1.25 * axis.high);
  } else if (axis.low >= 0 && begins_at_zero(axis.low, axis.high)) {
    axis.low = 0;
  } else if (axis.high <= 0 && begins_at_zero(-axis.high, -axis.low)) {
    axis.high = 0;
  }
  tick_evenly(axis, shared.size);
  return axis;
}

}  // namespace gtune
