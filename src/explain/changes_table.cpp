#include "explain/changes_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/value_word.hpp"

namespace gtune {
namespace {

/// Smaller changes of the time are noise.
constexpr double k_hardly_changed = 0.005;

}  // namespace

Table changes_table(const std::vector<ParameterChange>& changes) {
  Table table({json_column("parameter"), json_column("from"), json_column("to"),
               json_column("before"), json_column("after"), json_column("time_change"),
               json_column("pairs"), json_column("of_own_config")});
  for (const ParameterChange& each : changes) {
    table.row({each.parameter, value_cell(each.from), value_cell(each.to), each.before, each.after,
               each.time_change, each.pairs, each.of_own_config});
  }
  return table;
}

std::string time_change_text(const ParameterChange& change) {
  const double percent = 100 * std::abs(change.time_change);
  const std::string time =
      std::abs(change.time_change) < k_hardly_changed
          ? "the same time"
          : fmt::format("{:.1f} % {} time", percent, change.time_change < 0 ? "less" : "more");
  return fmt::format("{} ({})", time,
                     change.of_own_config
                         ? "this configuration"
                         : fmt::format("{} measured pair{} of others", change.pairs,
                                       change.pairs == 1 ? "" : "s"));
}

}  // namespace gtune
