#include "tune/budget.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "model/error.hpp"

namespace gtune {
namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw UserError(ExitCode::usage, "--budget " + std::string(text) +
                                       ": expected a duration such as 800ms, 60s, 5m or 1h, or a "
                                       "number of configurations such as 200");
}

struct Unit {
  std::string_view name;
  double seconds;
};

constexpr int most_hours = 10'000;  // more than a year

// "ms" is before "s", which it ends in.
constexpr Unit units[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};

}  // namespace

Budget parse_budget(std::string_view text) {
  const char* end = text.data() + text.size();
  Budget budget;
  for (const Unit& unit : units) {
    if (!text.ends_with(unit.name)) continue;
    const char* number_end = end - unit.name.size();
    double value = 0;
    const auto parsed = std::from_chars(text.data(), number_end, value);
    if (parsed.ec != std::errc() || parsed.ptr != number_end) refuse(text);
    if (!std::isfinite(value) || value <= 0) refuse(text);
    budget.seconds = value * unit.seconds;
    if (*budget.seconds > most_hours * 3600) {
      throw UserError(ExitCode::usage,
                      fmt::format("--budget {}: the maximum is {}h", text, most_hours));
    }
    return budget;
  }
  std::uint64_t count = 0;
  const auto parsed = std::from_chars(text.data(), end, count);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != end || count == 0) refuse(text);
  budget.configurations = count;
  return budget;
}

std::string Budget::text() const {
  if (configurations) return std::to_string(*configurations);
  if (!seconds) return "";
  std::string digits = std::to_string(*seconds);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits + "s";
}

}  // namespace gtune
