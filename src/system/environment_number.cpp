#include "system/environment_number.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "model/error.hpp"
#include "model/one_line.hpp"

namespace gtune {

std::optional<std::int64_t> environment_number(const char* name, std::int64_t least,
                                               std::int64_t most) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  const std::string_view text = value;
  std::int64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && rest == text.data() + text.size() && number >= least &&
      number <= most) {
    return number;
  }
  constexpr std::size_t most_quoted = 40;
  throw UserError(ExitCode::usage, std::string(name) + "=" + one_line(text, most_quoted) +
                                       ": expected a whole number from " + std::to_string(least) +
                                       " to " + std::to_string(most));
}

}  // namespace gtune
