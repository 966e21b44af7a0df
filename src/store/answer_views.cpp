#include "store/answer_views.hpp"

#include <fmt/format.h>

#include "embedded/answer_views.sql.hpp"
#include "model/possible_measurement.hpp"
#include "store/inventory.hpp"
#include "store/sql_text.hpp"

namespace gtune {

void define_answer_views(SQLite::Database& database) {
  database.exec(
      fmt::format(fmt::runtime(embedded::k_answer_views_sql),
                  fmt::arg("shortest_ms", k_shortest_ms), fmt::arg("longest_ms", k_longest_ms),
                  fmt::arg("most_work", k_most_work), fmt::arg("current_first", k_current_first)));
}

void ask_timing_alone(SQLite::Database& database, const TimingMode& mode) {
  database.exec("DROP VIEW temp.asked_timing; CREATE TEMP VIEW asked_timing (timing) AS VALUES (" +
                sql_literal(mode.text()) + ")");
}

}  // namespace gtune
