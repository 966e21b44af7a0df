#include "answer/fallback.hpp"

#include <gtest/gtest.h>

#include "answer/toy_spec.hpp"
#include "model/statistics.hpp"

namespace gtune::test {
namespace {

class Fallback : public ::testing::Test {
 protected:
  static DeviceFacts device(const std::string& name, const std::string& uuid) {
    DeviceFacts facts;
    facts.name = name;
    facts.uuid = uuid;
    return facts;
  }

  /// Stores a run on n = 64 that measured A = 2, the fastest, and `slower`. Returns its winner.
  Winner winner_beside(const DeviceFacts& on, std::int64_t slower) {
    RunInfo info;
    info.key = {db.upsert_device(on),
                db.upsert_toolchain({"580.1", "13.0", "13.0", "", "0.1.0"}),
                db.upsert_kernel(kernel),
                db.upsert_problem(kernel.name, problem),
                {}};
    const RunId run = db.begin_run(info);
    RunResult result;
    result.winner = db.insert_measurement(run, info.key, timed(2, 1));
    db.insert_measurement(run, info.key, timed(slower, 3));
    db.finish_run(run, result);
    Winner winner;
    winner.device_id = info.key.device;
    winner.device = on;
    winner.problem = problem;
    winner.config = {{"A", 2}};
    winner.median_ms = 1;
    return winner;
  }

  std::string fallbacks(const std::vector<Winner>& used) {
    std::string text;
    for (const Winner& each : find_fallbacks(db, kernel, spec, used)) {
      text += each.device.name + " " + each.config.text() + ";";
    }
    return text;
  }

  TemporaryFolder folder;
  Database db{folder.path() / "gtune.db", OpenMode::create};
  // An even A only takes multiples of 8.
  KernelSpec spec = toy_spec("", "A % 2 == 1 || n % 8 == 0");
  KernelIdentity kernel{"k", "aa", "bb", {"n", "kind"}, {"A"}};
  Problem problem{{"n", 64}, {"kind", 0}};

 private:
  static Measurement timed(std::int64_t a, double median_ms) {
    Measurement measurement;
    measurement.config = {{"A", a}};
    measurement.timing = summarise({median_ms, median_ms});
    return measurement;
  }
};

TEST_F(Fallback, IsValidWhereNoneInUseIs) {
  EXPECT_EQ(fallbacks({winner_beside(device("Large", "GPU-1"), 3)}), "Large A=3;");
}

TEST_F(Fallback, IsOneForAllDevicesOfAModel) {
  const Winner first = winner_beside(device("Large", "GPU-1"), 3);
  const Winner second = winner_beside(device("Large", "GPU-2"), 5);
  EXPECT_EQ(fallbacks({first, second}), "Large A=3;");
  const Winner small = winner_beside(device("Small", "GPU-3"), 5);
  EXPECT_EQ(fallbacks({first, second, small}), "Large A=3;Small A=5;");
}

TEST_F(Fallback, MayHaveBeenMeasuredOnAnotherDeviceOfTheModel) {
  const Winner first = winner_beside(device("Large", "GPU-1"), 4);
  winner_beside(device("Large", "GPU-2"), 5);
  EXPECT_EQ(fallbacks({first}), "Large A=5;");
}

}  // namespace
}  // namespace gtune::test
