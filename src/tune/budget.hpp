#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gtune {

/// The limit of a search: seconds, a number of configurations, or none.
struct Budget {
  std::optional<double> seconds;
  std::optional<std::uint64_t> configurations;
  bool may_end_early = false;  // once further search is expected to gain almost nothing

  [[nodiscard]] std::string text() const;
};

/// "800ms", "60s", "5m", "1h", or "200" for configurations. Throws UserError(usage) otherwise.
[[nodiscard]] Budget parse_budget(std::string_view text);

}  // namespace gtune
