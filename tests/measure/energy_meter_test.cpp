#include "measure/energy_meter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace gtune {
namespace {

/// A device whose time goes on by a look at it. Its counter gives a new value if the last read is
/// long enough ago, and else the last one again.
class MadeUpSeries : public LaunchSeries {
 public:
  void go_on() override { m_now_s += look_s; }
  void finish() override {
    // The last launch ends.
    m_now_s = std::ceil(m_now_s * 1000 / launch_ms - 1e-9) * launch_ms / 1000;
  }
  [[nodiscard]] std::int64_t launches() const override {
    return static_cast<std::int64_t>(m_now_s * 1000 / launch_ms + 1e-9);
  }
  [[nodiscard]] std::optional<double> counter_mj() const override {
    if (m_now_s > readable_until_s) return std::nullopt;
    if (m_now_s - m_read_s >= repeats_for_s) {
      m_read_s = m_now_s;
      m_last_mj = counter(m_now_s);
    }
    return m_last_mj;
  }
  [[nodiscard]] double now_s() const override { return m_now_s; }

  /// The energy in mJ at a time: 372 W.
  std::function<double(double)> counter = [](double s) { return 1e6 + 372e3 * s; };
  double look_s = 0.0005;
  double launch_ms = 0.25;
  double repeats_for_s = 0.1;
  double readable_until_s = 1e9;

 private:
  double m_now_s = 0;
  mutable double m_read_s = 0;
  mutable double m_last_mj = 1e6;
};

TEST(EnergyMeter, DividesTheEnergyOfManyLaunchesByTheirNumber) {
  MadeUpSeries series;
  const EnergyReading reading = measure_energy(series);
  ASSERT_TRUE(reading.use) << reading.reason;
  EXPECT_NEAR(reading.use->energy_mj, 372 * 0.25, 372 * 0.25 * 0.001);
  EXPECT_NEAR(reading.use->power_w, 372, 372 * 0.001);
  EXPECT_NEAR(reading.use->seconds, 0.5, 0.001);
  EXPECT_NEAR(static_cast<double>(reading.use->launches), 2000, 2);
  EXPECT_LT(series.now_s(), 0.7);
}

TEST(EnergyMeter, ThePowerBeforeItIsSteadyDoesNotCount) {
  MadeUpSeries series;
  series.counter = [](double s) {
    constexpr double begin_s = 0.1;
    return 100e3 * std::min(s, begin_s) + 400e3 * std::max(0.0, s - begin_s);
  };
  EXPECT_NEAR(measure_energy(series).use.value().power_w, 400, 1);
}

TEST(EnergyMeter, ALaunchMayTakeLongerThanTheMeasurement) {
  MadeUpSeries series;
  series.launch_ms = 2000;
  const EnergyReading reading = measure_energy(series);
  ASSERT_TRUE(reading.use);
  EXPECT_EQ(reading.use->launches, 1);
  EXPECT_NEAR(reading.use->energy_mj, 372 * 2000, 372 * 2000 * 0.01);
}

TEST(EnergyMeter, ACounterThatDoesNotChangeGivesNoEnergy) {
  MadeUpSeries series;
  series.repeats_for_s = 1e6;
  const EnergyReading reading = measure_energy(series);
  EXPECT_FALSE(reading.use);
  EXPECT_EQ(reading.reason, "the counter of energy did not change for 0.5 s");
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
