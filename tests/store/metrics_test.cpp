#include "fixture.hpp"

namespace gtune::test {
namespace {

TEST(StoredMetrics, ComeBackByNameAndGiveWayToNewOnes) {
  const TempFolder folder;
  Database database(folder.path() / "m.db", OpenMode::create);
  const KernelIdentity kernel{"copy", "s", "p", {"n"}, {"B"}};
  const MeasurementKey key{
      database.upsert_device(some_device()), database.upsert_toolchain(some_toolchain()),
      database.upsert_kernel(kernel), database.upsert_problem("copy", {{"n", 1}})};
  RunInfo info;
  info.key = key;
  const Measurement measurement = timed(1, 2);
  const MeasurementId id = database.insert_measurement(database.begin_run(info), key, measurement);
  EXPECT_TRUE(database.load_metrics(id).empty());
  database.insert_metrics(id, {{"ipc", std::nullopt, "", "busy"}, {"dram_bytes", 0.0, "byte", ""}});
  database.insert_metrics(id, {{"ipc", 2.5, "inst/cycle", ""}});
  database.insert_metrics(id, {{"l2_bytes", 1e308, "byte", ""}});  // of no GPU, so not an answer
  const std::vector<Metric> metrics = database.load_metrics(id);
  ASSERT_EQ(metrics.size(), 2U);
  EXPECT_EQ(metrics[0].name, "dram_bytes");
  EXPECT_EQ(metrics[0].value, 0.0);
  EXPECT_EQ(metrics[1].value, 2.5);
  EXPECT_EQ(metrics[1].unit, "inst/cycle");
  EXPECT_EQ(metrics[1].reason, "");
}

class StoredEnergies : public StoreTest {
 protected:
  MeasurementId measured(std::int64_t bm, double ms, double energy_mj, TimingMode mode = {}) {
    MeasurementKey where = key;
    where.mode = mode;
    Measurement measurement = timed(bm, ms);
    measurement.timing->mode = mode;
    const MeasurementId id = db.insert_measurement(begin_run(), where, measurement);
    db.insert_metrics(id, energy_metrics({energy_mj, 300, 10, 0.5}));
    return id;
  }
};

TEST_F(StoredEnergies, AreTheNewestOfEachConfigurationAndStateOfTheCache) {
  static_cast<void>(measured(64, 2, 600));
  const MeasurementId newest = measured(64, 2.5, 650);
  // A newer time without an energy changes nothing.
  static_cast<void>(db.insert_measurement(begin_run(), key, timed(64, 3)));
  const MeasurementId warm = measured(64, 1, 600, {LaunchOrder::warm});
  const MeasurementId other = measured(128, 4, 500);
  const std::vector<ConfigEnergy> energies = db.load_energies(some_kernel());
  ASSERT_EQ(energies.size(), 3U);
  EXPECT_EQ(energies[0].measurement_id, newest);
  EXPECT_EQ(energies[0].use.energy_mj, 650);
  EXPECT_EQ(energies[0].use.power_w, 300);
  EXPECT_EQ(energies[0].median_ms, 2.5);
  EXPECT_EQ(energies[0].config.find("BM"), 64);
  EXPECT_EQ(energies[0].problem.find("M"), 64);
  EXPECT_EQ(energies[1].measurement_id, other);
  EXPECT_EQ(energies[2].measurement_id, warm);
  EXPECT_EQ(energies[2].mode.order, LaunchOrder::warm);
}

TEST_F(StoredEnergies, OfWrongConfigurationsOtherDevicesAndOtherSourcesDoNotAnswer) {
  static_cast<void>(measured(64, 2, 600));
  BestFilter elsewhere;
  elsewhere.device_name = "another";
  EXPECT_TRUE(db.load_energies(some_kernel(), elsewhere).empty());
  BestFilter of_problem;
  of_problem.problem = Problem{{"M", 1}, {"N", 1}};
  EXPECT_TRUE(db.load_energies(some_kernel(), of_problem).empty());
  KernelIdentity changed = some_kernel();
  changed.source_hash = "cc";
  EXPECT_TRUE(db.load_energies(changed).empty());
  EXPECT_EQ(db.load_energies(some_kernel()).size(), 1U);
  Measurement wrong = timed(64, 2);
  wrong.status = Status::wrong_result;
  wrong.timing.reset();
  static_cast<void>(db.insert_measurement(begin_run(), key, wrong));
  EXPECT_TRUE(db.load_energies(some_kernel()).empty());
}

}  // namespace
}  // namespace gtune::test
