#include "store/winner_views.hpp"

#include <fmt/format.h>

#include <string>

#include "model/possible_measurement.hpp"

namespace gtune {

namespace {

/// As far as SQL can look at a row `m` without its samples.
std::string possible() {
  return fmt::format(
      "m.status = 'ok' AND m.samples_ms IS NOT NULL AND m.median_ms BETWEEN {0} AND {1} "
      "AND m.min_ms BETWEEN {0} AND m.median_ms",
      k_shortest_ms, k_longest_ms);
}

/// No run saw the configuration of `m` wrong under the toolchain of the row `of`.
std::string never_wrong(const std::string& of) {
  return fmt::format(
      "NOT EXISTS (SELECT 1 FROM main.measurement AS wrong "
      "WHERE wrong.kernel_id = {0}.kernel_id AND wrong.problem_id = {0}.problem_id "
      "AND wrong.device_id = {0}.device_id AND wrong.toolchain_id = {0}.toolchain_id "
      "AND wrong.config_id = m.config_id AND wrong.status = 'wrong_result' "
      "AND wrong.phase <> 'baseline')",
      of);
}

std::string ended_run() {
  return "CREATE TEMP VIEW ended_run AS "
         "SELECT run.id, run.kernel_id, run.problem_id, run.device_id, run.toolchain_id, "
         "run.l2_flushed, run.whole_space, run.space_signature, run.finished, result.winner_id, "
         "result.verified, m.median_ms "
         "FROM main.result JOIN main.run ON run.id = result.run_id "
         "JOIN main.measurement AS m ON m.id = result.winner_id WHERE " +
         possible() + " AND " + never_wrong("run");
}

/// Of what no run has ended about: the fastest so far of the newest run.
std::string going() {
  return "CREATE TEMP VIEW going AS "
         "WITH newest AS (SELECT kernel_id, problem_id, device_id, max(id) AS id FROM main.run "
         "WHERE NOT EXISTS (SELECT 1 FROM main.result WHERE run_id = run.id) "
         "GROUP BY kernel_id, problem_id, device_id) "
         "SELECT newest.kernel_id, newest.problem_id, newest.device_id, NULL AS ended_run_id, "
         "'not recorded' AS verified, ("
         "SELECT m.id FROM main.run JOIN main.measurement AS m "
         "ON m.kernel_id = run.kernel_id AND m.problem_id = run.problem_id "
         "AND m.device_id = run.device_id AND m.toolchain_id = run.toolchain_id "
         "AND m.l2_flushed = run.l2_flushed "
         "WHERE run.id = newest.id AND m.phase <> 'baseline' AND " +
         possible() + " AND " + never_wrong("m") +
         " ORDER BY m.median_ms, m.id LIMIT 1) AS measurement_id FROM newest "
         "WHERE NOT EXISTS (SELECT 1 FROM temp.ended_run AS ended "
         "WHERE ended.kernel_id = newest.kernel_id AND ended.problem_id = newest.problem_id "
         "AND ended.device_id = newest.device_id)";
}

/// `which`: conditions on an ended run; `before`: what decides before the time.
std::string winner(const std::string& which, const std::string& before, const std::string& warm) {
  return fmt::format(
      "CREATE TEMP VIEW winner AS "
      "SELECT kernel_id, problem_id, device_id, id AS ended_run_id, verified, "
      "winner_id AS measurement_id FROM ("
      "SELECT ended.*, row_number() OVER ("
      "PARTITION BY ended.kernel_id, ended.problem_id, ended.device_id ORDER BY {1} "
      "ended.whole_space DESC, ended.toolchain_id IS device.toolchain_id DESC, "
      "ended.toolchain_id DESC, ended.median_ms, ended.id DESC) AS place "
      "FROM temp.ended_run AS ended JOIN main.device ON device.id = ended.device_id{0}) "
      "WHERE place = 1 UNION ALL SELECT going.* FROM temp.going{2}",
      which, before, warm);
}

constexpr const char* k_speed =
    "CREATE TEMP VIEW speed AS SELECT m.id AS measurement_id, "
    "(SELECT flops FROM main.run WHERE run.kernel_id = m.kernel_id "
    "AND run.problem_id = m.problem_id AND flops IS NOT NULL LIMIT 1) / (m.median_ms * 1e6) "
    "AS gflops, "
    "(SELECT bytes FROM main.run WHERE run.kernel_id = m.kernel_id "
    "AND run.problem_id = m.problem_id AND bytes IS NOT NULL LIMIT 1) / (m.median_ms * 1e6) "
    "AS gbps FROM main.measurement AS m";

}  // namespace

void define_winner_views(SQLite::Database& database) {
  database.exec(ended_run());
  database.exec(going());
  database.exec(winner("", "ended.l2_flushed DESC,", ""));
  database.exec(k_speed);
}

void define_warm_winner_view(SQLite::Database& database) {
  database.exec("DROP VIEW temp.winner");
  database.exec(winner(" WHERE NOT ended.l2_flushed", "",
                       " JOIN main.measurement AS m ON m.id = going.measurement_id "
                       "WHERE NOT m.l2_flushed"));
}

}  // namespace gtune
