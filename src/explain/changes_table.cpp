#include "explain/changes_table.hpp"

#include <fmt/format.h>

#include "model/value_word.hpp"

namespace gtune {
namespace {

/// Changes of the time above this are noise, or slower.
constexpr double k_no_faster = -0.005;

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
  return fmt::format("time {:+.1f} %{} ({})", 100 * change.time_change,
                     change.time_change < k_no_faster ? "" : ", no faster",
                     change.of_own_config
                         ? "this configuration"
                         : fmt::format("{} measured pair{} of others", change.pairs,
                                       change.pairs == 1 ? "" : "s"));
}

}  // namespace gtune
