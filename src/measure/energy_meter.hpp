#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/energy_use.hpp"

namespace gtune {

/// Launches of one kernel that follow each other without a gap, on a device with a counter of its
/// energy.
class LaunchSeries {
 public:
  /// The finished launches, and the device's time from the start of the series to their end.
  struct Finished {
    std::int64_t launches = 0;
    double device_ms = 0;
  };

  virtual ~LaunchSeries() = default;
  /// Queues launches so that the device stays busy, and waits for a fraction of a millisecond.
  /// Throws what a failed launch throws.
  virtual void go_on() = 0;
  [[nodiscard]] virtual Finished finished() const = 0;
  /// Absent if the counter cannot be read.
  [[nodiscard]] virtual std::optional<double> counter_mj() const = 0;
  /// The host's time since some moment.
  [[nodiscard]] virtual double now_s() const = 0;
};

struct EnergyOptions {
  double lead_in_s = 0.1;  // launches before, so that the power is steady
  // The shortest time to measure: twenty updates on an H200, where a read of the counter takes some
  // 10 ms, and the power swings for two seconds before it settles at the limit.
  double least_s = 2;
  double longest_wait_s = 1;  // for an update of the counter
};

/// A measured energy, or the reason why there is none.
struct EnergyReading {
  std::optional<EnergyUse> use;
  std::string reason;
};

/// Measures power from one update of the counter to another, since between updates the counter says
/// nothing. Power times the time of a launch is the launch's energy. Makes no assumption on how
/// often the counter is updated, except that `longest_wait_s` is long enough.
[[nodiscard]] EnergyReading measure_energy(LaunchSeries& series, const EnergyOptions& options = {});

}  // namespace gtune
