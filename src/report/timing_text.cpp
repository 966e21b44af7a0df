#include "report/timing_text.hpp"

#include <fmt/format.h>

#include "model/statistics.hpp"
#include "report/quantity.hpp"

namespace gtune {

std::string time_text(double ms) { return quantity_text(ms, "ms", 5); }

std::string spread_text(const Timing& timing) {
  if (timing.samples_ms.size() < fewest_for_interval) return "";
  return fmt::format("+- {:.2f} %",
                     (timing.ci_high_ms - timing.ci_low_ms) / 2 / timing.median_ms * 100);
}

std::string samples_text(const Timing& timing) {
  const std::size_t count = timing.samples_ms.size();
  return count == 0 ? "" : fmt::format("median of {}", count);
}

}  // namespace gtune
