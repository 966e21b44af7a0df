#include <algorithm>
#include <chrono>

#include "store/fixture.hpp"
#include "support/patience.hpp"

namespace gtune::test {
namespace {

using Speed = StoreTest;

double milliseconds_of(const std::function<void()>& work) {
  // The best of five: other programs may be running.
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

TEST_F(Speed, LookupsAmong200000RowsAreFast) {
  // 1000 problems with 200 configurations each; no run has ended.
  db.connection().exec(
      "BEGIN;"
      "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999) "
      "INSERT INTO problem (id, kernel, sizes) "
      "SELECT 1000 + i, 'sgemm', json_object('M', 1000 + i, 'N', 1) FROM n;"
      "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199) "
      "INSERT INTO config (id, kernel, params) "
      "SELECT 1000 + i, 'sgemm', json_object('BK', 8, 'BM', i) FROM n;"
      "INSERT INTO run (id, device_id, toolchain_id, kernel_id, problem_id, timing, objective, "
      "flops, "
      "strategy, budget, seed, command_line, space_signature, whole_space, pid) "
      "SELECT id, 1, 1, 1, id, 'cold', 'time', 1e9, '', '', '0', '', 'all', 1, 1 FROM problem "
      "WHERE id >= "
      "1000;"
      "INSERT INTO measurement (run_id, device_id, toolchain_id, kernel_id, problem_id, "
      "config_id, timing, phase, label, status, reason, median_ms, min_ms, p95_ms, mean_ms, "
      "ci_low_ms, ci_high_ms, samples_ms) "
      "SELECT problem.id, 1, 1, 1, problem.id, config.id, 'cold', 'search', '', 'ok', '', "
      "ms, ms, ms, ms, ms, ms, zeroblob(0) "
      "FROM (SELECT id, 1 + (id * 7919 % 200) AS ms FROM config) AS config CROSS JOIN problem "
      "WHERE problem.id >= 1000;"
      "COMMIT");
  ASSERT_EQ(sql("SELECT count(*) FROM measurement"), "200000");
  db.refresh_views(kernel);

  key.problem = db.upsert_problem("sgemm", {{"M", 1500}, {"N", 1}});
  EXPECT_LT(
      milliseconds_of([&] { EXPECT_EQ(db.load_measurements(key, Phase::search).size(), 200u); }),
      20 * patience);
  EXPECT_LT(milliseconds_of([&] { EXPECT_FALSE(db.find_ended_run(key, "all")); }), 20 * patience);
  const BestFilter one = {Problem{{"M", 1500}, {"N", 1}}, std::nullopt};
  EXPECT_LT(milliseconds_of([&] { EXPECT_EQ(db.query_best(kernel, one).size(), 1u); }),
            20 * patience);
  EXPECT_LT(milliseconds_of(
                [&] { EXPECT_EQ(sql("SELECT median_ms FROM best_sgemm WHERE M = 1500"), "1.0"); }),
            100 * patience);
  EXPECT_LT(
      milliseconds_of([&] { db.insert_measurement(static_cast<RunId>(1500), key, timed(32, 3)); }),
      20 * patience);
}

}  // namespace
}  // namespace gtune::test
