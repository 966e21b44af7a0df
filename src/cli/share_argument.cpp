#include "cli/share_argument.hpp"

#include <fmt/format.h>

#include "model/error.hpp"

namespace gtune {

double parse_share(const std::string& option, const std::string& text) {
  std::size_t used = 0;
  double value = -1;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  const std::string unit = text.substr(used);
  if (used == 0 || !(value >= 0 && value < 1e6) || (!unit.empty() && unit != "%")) {
    throw UserError(ExitCode::usage, option + ' ' + text + ": expected a share like 3% or 0.03");
  }
  if (unit.empty() && value >= 1) {
    throw UserError(ExitCode::usage,
                    fmt::format("{0} {1}: is it {1}%? A share without % is below 1, like "
                                "0.03 for 3%",
                                option, text));
  }
  return unit.empty() ? value : value / 100;
}

}  // namespace gtune
