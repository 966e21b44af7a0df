#include "measure/energy_meter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace gtune {
namespace {

/// A device whose time goes on by a look at it, with a counter that is updated now and then.
class MadeUpSeries : public LaunchSeries {
 public:
  void go_on() override { m_now_s += look_s; }
  [[nodiscard]] Finished finished() const override {
    const auto launches = static_cast<std::int64_t>(m_now_s * 1000 / launch_ms);
    return {launches, static_cast<double>(launches) * launch_ms};
  }
  [[nodiscard]] std::optional<double> counter_mj() const override {
    if (m_now_s > readable_until_s) return std::nullopt;
    return counter(std::floor(m_now_s / update_s) * update_s);
  }
  [[nodiscard]] double now_s() const override { return m_now_s; }

  /// The energy in mJ at a time: 372 W.
  std::function<double(double)> counter = [](double s) { return 1e6 + 372e3 * s; };
  double look_s = 0.0005;
  double launch_ms = 0.25;
  double update_s = 0.1;
  double readable_until_s = 1e9;

 private:
  double m_now_s = 0;
};

TEST(EnergyMeter, TheEnergyOfALaunchIsPowerTimesItsTimeHoweverOftenTheCounterIsUpdated) {
  for (const double update_s : {0.001, 0.02, 0.1, 0.37, 0.9}) {
    SCOPED_TRACE(update_s);
    MadeUpSeries series;
    series.update_s = update_s;
    const EnergyReading reading = measure_energy(series);
    ASSERT_TRUE(reading.use) << reading.reason;
    EXPECT_NEAR(reading.use->power_w, 372, 372 * 0.002);
    EXPECT_NEAR(reading.use->energy_mj, 372 * 0.25, 372 * 0.25 * 0.002);
    EXPECT_GE(reading.use->seconds, 1.999);
    EXPECT_NEAR(reading.use->seconds / reading.use->updates, update_s, update_s * 0.5);
    EXPECT_NEAR(static_cast<double>(reading.use->launches), reading.use->seconds * 4000, 10);
    EXPECT_LT(series.now_s(), 0.1 + 2 * update_s + 2.1 + update_s);
  }
}

TEST(EnergyMeter, ThePowerBeforeItIsSteadyDoesNotCount) {
  MadeUpSeries series;
  series.counter = [](double s) {
    constexpr double begin_s = 0.1;
    return 100e3 * std::min(s, begin_s) + 400e3 * std::max(0.0, s - begin_s);
  };
  series.update_s = 0.01;
  EXPECT_NEAR(measure_energy(series).use.value().power_w, 400, 2);
}

TEST(EnergyMeter, ALaunchMayTakeLongerThanTheMeasurement) {
  MadeUpSeries series;
  series.launch_ms = 3000;
  const EnergyReading reading = measure_energy(series);
  ASSERT_TRUE(reading.use);
  EXPECT_EQ(reading.use->launches, 1);
  EXPECT_NEAR(reading.use->energy_mj, 372 * 3000, 372 * 3000 * 0.01);
}

TEST(EnergyMeter, ACounterThatDoesNotChangeIsGivenUpAfterASecond) {
  MadeUpSeries series;
  series.update_s = 1e6;
  const EnergyReading reading = measure_energy(series);
  EXPECT_FALSE(reading.use);
  EXPECT_EQ(reading.reason, "the counter of energy did not change for 1 s");
  EXPECT_LT(series.now_s(), 1.2);
}

TEST(EnergyMeter, ACounterThatFailsOrGoesBackGivesNoEnergy) {
  MadeUpSeries fails;
  fails.readable_until_s = 0.4;
  const EnergyReading failed = measure_energy(fails);
  EXPECT_FALSE(failed.use);
  EXPECT_EQ(failed.reason, "the counter of energy can no longer be read");

  MadeUpSeries restarts;
  restarts.counter = [](double s) { return s < 0.35 ? 1e6 + 1e3 * s : 1e3 * s; };
  const EnergyReading back = measure_energy(restarts);
  EXPECT_FALSE(back.use);
  EXPECT_EQ(back.reason, "the counter of energy went back");
}

}  // namespace
}  // namespace gtune
