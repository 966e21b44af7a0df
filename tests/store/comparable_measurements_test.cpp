// Measurements under the same conditions as another one, and their metrics.
#include "fixture.hpp"

namespace gtune::test {
namespace {

class Alike : public StoreTest {
 protected:
  MeasurementId insert(std::int64_t bm, const std::string& label = "") {
    Measurement measurement = timed(bm, 2);
    measurement.label = label;
    if (!label.empty()) measurement.phase = Phase::baseline;
    return db.insert_measurement(run, key, measurement);
  }

  RunId run = begin_run();
};

TEST_F(Alike, TheNewestOfAConfigurationIsFound) {
  const MeasurementId base = insert(64);
  insert(32);
  const MeasurementId newest = insert(32);
  EXPECT_EQ(db.find_comparable(base, {{"BK", 8}, {"BM", 32}})->id, newest);
  EXPECT_FALSE(db.find_comparable(base, {{"BK", 8}, {"BM", 16}}));
}

TEST_F(Alike, BaselinesAreFoundByNameAlone) {
  const MeasurementId base = insert(64);
  const MeasurementId naive = insert(32, "naive");
  EXPECT_EQ(db.find_comparable_baseline(base, "naive")->id, naive);
  EXPECT_FALSE(db.find_comparable_baseline(base, "shared"));
  EXPECT_FALSE(db.find_comparable(base, {{"BK", 8}, {"BM", 32}}));
}

TEST_F(Alike, OtherConditionsDoNotCount) {
  const MeasurementId base = insert(64);
  key.mode.order = LaunchOrder::warm;
  insert(32);
  key.mode.order = LaunchOrder::cold;
  key.toolchain = db.upsert_toolchain({"other", "13.0", "13.0", "", "0.1.0"});
  insert(32);
  EXPECT_FALSE(db.find_comparable(base, {{"BK", 8}, {"BM", 32}}));
}

TEST_F(Alike, MetricsOfTheSameConfigurationStandIn) {
  const MeasurementId earlier = insert(64);
  const MeasurementId profiled = insert(64);
  const MeasurementId refused = insert(64);
  const MeasurementId other = insert(32);
  const MeasurementId newest = insert(64);
  EXPECT_TRUE(db.load_comparable_metrics(newest).empty());
  db.insert_metrics(earlier, {{"ipc", 1.5, "inst/cycle", ""}});
  db.insert_metrics(profiled, {{"ipc", 2.5, "inst/cycle", ""}});
  db.insert_metrics(refused, {{"ipc", std::nullopt, "", "not allowed"}});
  db.insert_metrics(other, {{"ipc", 9, "inst/cycle", ""}});
  EXPECT_EQ(db.load_comparable_metrics(newest).at(0).value, 2.5);
  EXPECT_EQ(db.load_comparable_metrics(refused).at(0).value, 2.5);  // values before reasons
  EXPECT_EQ(db.load_comparable_metrics(earlier).at(0).value, 1.5);  // its own before others'
  EXPECT_EQ(db.load_comparable_metrics(other).at(0).value, 9);
}

TEST_F(Alike, ReasonsAreAllWhereThereAreNoValues) {
  const MeasurementId refused = insert(64);
  db.insert_metrics(refused, {{"ipc", std::nullopt, "", "not allowed"}});
  const auto metrics = db.load_comparable_metrics(insert(64));
  ASSERT_EQ(metrics.size(), 1U);
  EXPECT_EQ(metrics[0].reason, "not allowed");
}

}  // namespace
}  // namespace gtune::test
