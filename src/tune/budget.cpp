#include "tune/budget.hpp"

#include <charconv>
#include <cmath>

#include "model/error.hpp"

namespace gtune {
namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw UserError(ExitCode::usage, "--budget " + std::string(text) +
                                       ": expected a duration such as 60s, 5m or 1h, or a number "
                                       "of configurations such as 200");
}

std::optional<double> seconds_per(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 60;
    case 'h':
      return 3600;
    default:
      return std::nullopt;
  }
}

}  // namespace

Budget parse_budget(std::string_view text) {
  const char* end = text.data() + text.size();
  const std::optional<double> unit = text.empty() ? std::nullopt : seconds_per(text.back());
  Budget budget;
  if (unit) {
    double value = 0;
    const auto parsed = std::from_chars(text.data(), end - 1, value);
    if (parsed.ec != std::errc() || parsed.ptr != end - 1) refuse(text);
    if (!std::isfinite(value) || value <= 0) refuse(text);
    budget.seconds = value * *unit;
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
