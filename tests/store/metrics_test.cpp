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
  const std::vector<Metric> metrics = database.load_metrics(id);
  ASSERT_EQ(metrics.size(), 2U);
  EXPECT_EQ(metrics[0].name, "dram_bytes");
  EXPECT_EQ(metrics[0].value, 0.0);
  EXPECT_EQ(metrics[1].value, 2.5);
  EXPECT_EQ(metrics[1].unit, "inst/cycle");
  EXPECT_EQ(metrics[1].reason, "");
}

}  // namespace
}  // namespace gtune::test
